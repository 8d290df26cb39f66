# A node of a Citus cluster with pgvector:
#     docker build --file deploy/citus.Dockerfile --tag reverie-citus:13 deploy
FROM citusdata/citus:13.0
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-17-pgvector \
    && rm -rf /var/lib/apt/lists/*
