"""The verbs, in one package a subject, written against the ports. Each package has one public face."""
