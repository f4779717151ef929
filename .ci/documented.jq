# Prints for each item of a public API, as rustdoc describes it in JSON, what its documentation has.

.index as $index
| def example: contains("\n```");
  def links: .links[] | $index["\(.)"].docs // "";

  [$index[].inner | (.trait.items, .enum.variants)[]?] as $members
| $index[]
| (.inner | keys[0]) as $kind
| select($kind | IN("impl", "use") | not)
| select(.visibility == "public" or (.id | IN($members[])))
| "\(.span.filename):\(.span.begin[0]): \(.name) has " + (
    if (.docs // "") == "" then "no documentation"
    elif $kind | IN("module", "variant", "assoc_type") then "documentation"
    elif .docs | example then "an example"
    elif $kind == "function" and .visibility == "public" then "no example"
    elif any(links; example) then "a link to an example"
    else "no example, nor a link to one"
    end
  )
