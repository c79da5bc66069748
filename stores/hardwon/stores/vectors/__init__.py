"""The vector layer: which memories lie nearest to a question, at any number of them.

Derived from what a store keeps behind the port `Vectors` and from the vector keys of its documents, under
`<home>/vectors/`; removed or damaged, it is made anew.

- `texts`: what is embedded of a document
- `planes`, `dots`: a vector in two planes of whole numbers, and how directions are held against the coarse one
- `codes`, `graph`: a bit a number where memory is short; a graph where a scan takes too long
- `segment`, `collection`: rows of one language that never change, and all of a space as they stand
- `following`: brings a collection up to date by what changed
- `segment_file`, `folder`: how both lie on disk
- `selecting`: which rows of a segment are probably the nearest
- `arranging`, `measuring`: what is done and found out in the background and by `doctor`
"""
