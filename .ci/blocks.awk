# Prints where each block of code begins, in Markdown and in documentation, and how it is marked.

FNR == 1 { open = 0 }

sub(FILENAME ~ /\.rs$/ ? "^ *//[/!] *```" : "^ *```", "") {
  open = !open
  if (open) {
    print FILENAME ":" FNR, $0
  }
}
