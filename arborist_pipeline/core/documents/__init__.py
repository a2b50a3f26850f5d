"""A page to a Merkle document. Read in order: text, chunking, merkle, document, proof."""
