# Prints the prose of Markdown, and that of the comments of other files: no code, and no addresses.

FNR == 1 { fenced = 0 }

FILENAME !~ /\.md$/ {
  comment = FILENAME ~ /\.rs$/ ? "//[/!]?" : "#"
  if (!match($0, "(^|[ \t])" comment " ")) {
    next
  }
  $0 = substr($0, RSTART + RLENGTH)
}

/^ *```/ { fenced = !fenced; next }

# What remains of code are its own comments.
fenced && !sub(/^.*\/\/ /, "") && !sub(/^.* # /, "") { next }

{
  gsub(/`[^`]*`|\]\([^)]*\)|^\[[^]]*\]: .*|<!--[^>]*-->|https?:[^ ]*|[[:alnum:]]*[0-9][[:alnum:]]*|'s/, " ")
  print
}
