"""Pages of HTML that hold everything in one file: their parts, their pictures, their text."""
