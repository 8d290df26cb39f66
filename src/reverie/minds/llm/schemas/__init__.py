"""What models are to answer, one schema a file. Imported with the first question: pydantic is part of the extra."""
