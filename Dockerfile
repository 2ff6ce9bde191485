# The image of all processes; docker-compose.yml says which of them a container runs. `.ci/run` takes the same steps.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc LICENSE ./
# A workspace is part of the lock.
COPY src/surfaces/client/openapi-types/package.json src/surfaces/client/openapi-types/
RUN npm ci
COPY tsconfig.json ./
COPY prisma prisma
COPY src src
COPY temporal temporal
RUN npm run build
COPY .ci/prune.mjs .ci/prune.mjs
RUN node .ci/prune.mjs .

FROM node:24-bookworm-slim
# What runs in production installs nothing.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
# docker build --build-arg BUILD_COMMIT=$(git rev-parse HEAD): tells builds of one version apart.
ARG BUILD_COMMIT=""
ENV NODE_ENV=production BUILD_COMMIT=$BUILD_COMMIT
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/prisma/migrations prisma/migrations
# A new volume of files has the owner of the folder that it covers.
RUN install -d -o 1000 -g 1000 /files
# By number: an orchestrator that forbids root cannot look names up.
USER 1000:1000
CMD ["node", "--enable-source-maps", "dist/src/processes/serve-api.js"]
