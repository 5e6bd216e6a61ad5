# The service on one machine. `docker build -t memory-service .`, for linux/amd64 and linux/arm64.
# `npm run test:image` runs the same steps without a container runtime.
FROM node:24-slim AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY infra/postinstall.mjs infra/
# The image has its own Node; the optional packages are Nodes for machines with an older one.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=install /app/node_modules node_modules
COPY package.json openapi.json llms.txt README.md LICENSE NOTICE ./
COPY models models
COPY shared shared
COPY functions functions
COPY infra infra
COPY docs docs
COPY clients clients
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without the limit, the young generation of the heap takes about 90 MB more, and requests are no faster.
CMD ["node", "--max-semi-space-size=8", "infra/local/main.ts"]
