# Builds the dashboard, then a wheel with it inside, then an image that holds the wheel alone.
FROM node:20-slim AS dashboard
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY schema.graphql /src/schema.graphql
COPY frontend ./
RUN npm run build

FROM python:3.11-slim AS wheel
WORKDIR /src
COPY pyproject.toml README.md LICENSE CHANGELOG.md requirements.lock ./
COPY backend backend
COPY --from=dashboard /src/backend/hermes_sessions/web/static backend/hermes_sessions/web/static
RUN pip wheel --no-deps --wheel-dir /wheels .

FROM python:3.11-slim
# A new volume takes over the owner of the folder that it is mounted on.
RUN useradd --create-home --uid 1000 hermes && install -d -o hermes -g hermes -m 0700 /state
COPY requirements.lock /tmp/requirements.lock
COPY --from=wheel /wheels /tmp/wheels
RUN pip install --no-cache-dir --constraint /tmp/requirements.lock /tmp/wheels/*.whl && rm -rf /tmp/wheels
USER hermes
ENV HERMES_SESSIONS_HOME=/home/hermes/.hermes \
    HERMES_SESSIONS_STATE_DIR=/state \
    HERMES_SESSIONS_HOST=0.0.0.0 \
    HERMES_SESSIONS_NO_OPEN=1
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD \
    ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8787/healthz', timeout=2)"]
ENTRYPOINT ["hermes-sessions"]
CMD ["serve"]
