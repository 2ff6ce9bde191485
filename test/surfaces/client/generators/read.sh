#!/usr/bin/env bash
# Makes a client with a generator in the current folder, which has openapi.json and openapi-3.0.json, and reads examples.json with it.
# Prints a line of JSON for each example: `index` and `error`, or `read` (the name of the model) and `value` (what the model writes).
# usage: read.sh <generator>; PYTHON in the environment: a Python with openapi-python-client
set -euo pipefail
programs=$(cd "$(dirname "$0")" && pwd)/programs
root=$(cd "$programs/../../../../.." && pwd)

go_program() {
  [[ -f go.mod ]] || go mod init program 2>/dev/null
  cp "$programs/$1.txt" main.go
  go mod tidy 2>/dev/null
  go run . <examples.json
}

python_packages() {
  python3 -m venv --without-pip venv
  python3 -m pip --python venv/bin/python install -q --no-compile "$@"
}

npm_packages() {
  echo '{ "private": true, "type": "module" }' >package.json
  npm install --silent --prefer-offline --ignore-scripts --no-audit --no-fund "$@"
}

typescript_program() {
  node "$programs/typescript.mjs" "$root/node_modules/typescript/bin/tsc" "$@"
}

case "$1" in
openapi-typescript)
  node "$root/src/surfaces/client/openapi-types/node_modules/openapi-typescript/bin/cli.js" openapi.json \
    --output types.ts --default-non-nullable=false >generator.log 2>&1
  typescript_program ./types "components['schemas']['RunEvent']" "components['schemas']['Node']" components
  ;;
hey-api)
  npm_packages @hey-api/openapi-ts@0.99.0 typescript@5.9.3
  npx --no-install openapi-ts -i openapi.json -o made -c @hey-api/client-fetch >generator.log 2>&1
  typescript_program ./made/types.gen RunEvent Node
  ;;
orval)
  npm_packages orval@7.13.2 typescript@5.9.3
  npx --no-install orval --input openapi.json --output made.ts --client fetch >generator.log 2>&1
  typescript_program ./made RunEvent Node
  ;;
oapi-codegen)
  mkdir api
  go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 \
    -generate types,client,skip-prune -package api -o api/client.go openapi.json
  go_program oapi-codegen
  ;;
ogen)
  # It leaves out schemas that no body has: two operations give them back.
  jq 'def reads($name): {get: {operationId: ("read" + $name), responses: {"200": {description: "",
      content: {"application/json": {schema: {"$ref": ("#/components/schemas/" + $name)}}}}}}};
    del(.paths["/ready"]) | .paths["/event"] = reads("RunEvent") | .paths["/node"] = reads("Node")' openapi-3.0.json >ogen.json
  printf 'generator:\n  ignore_not_implemented: ["all"]\n' >ogen.yml
  go run github.com/ogen-go/ogen/cmd/ogen@v1.14.0 --target api --package api --clean ogen.json >generator.log 2>&1
  go_program ogen
  ;;
openapi-generator-go)
  python_packages 'openapi-generator-cli==7.25.0'
  venv/bin/openapi-generator-cli generate -i openapi-3.0.json -g go -o made >generator.log 2>&1
  mkdir -p made/cmd/program
  cp "$programs/openapi-generator-go.txt" made/cmd/program/main.go
  cd made
  GOFLAGS=-mod=mod go run ./cmd/program <../examples.json
  ;;
openapi-python-client)
  printf 'post_hooks: []\ncontent_type_overrides: { application/jsonl: application/octet-stream }\n' >config.yml
  "$PYTHON" -m openapi_python_client generate --path openapi.json --config config.yml --output-path made \
    --meta none --fail-on-warning >generator.log 2>&1
  PYTHONPATH=. "$PYTHON" "$programs/openapi-python-client.py" <examples.json
  ;;
datamodel-code-generator)
  python_packages 'datamodel-code-generator==0.89.0' 'pydantic[email]'
  venv/bin/datamodel-codegen --input openapi.json --input-file-type openapi --output made.py \
    --output-model-type pydantic_v2.BaseModel --use-annotated >generator.log 2>&1
  PYTHONPATH=. venv/bin/python "$programs/datamodel-code-generator.py" <examples.json
  ;;
*)
  echo "unknown generator $1" >&2
  exit 2
  ;;
esac
