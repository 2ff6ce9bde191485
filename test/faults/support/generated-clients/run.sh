#!/usr/bin/env bash
# Makes a client with a generator in the current folder and runs the program that starts a run with it and follows it.
# usage: run.sh <generator>; API, KEY, ORG and BODY in the environment, the tools of the generator's language in PATH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
curl -sSf "$API/openapi-3.0.json" >openapi.json

openapi_generator() {
  python3 -m venv --without-pip venv
  python3 -m pip --python venv/bin/python install -q 'openapi-generator-cli==7.25.0' \
    pydantic urllib3 python-dateutil typing-extensions
  venv/bin/openapi-generator-cli generate -i openapi.json -g "$1" -o made >generator.log 2>&1
}

# Takes the answers and the uploads away that progenitor does not know.
simplify() {
  jq 'del(.paths[][] | select(.requestBody.content["multipart/form-data"]?))
    | .paths[][].responses |= (to_entries | map(select(.key | startswith("2")))
      | ([.[] | select(.value.content)] + .)[:1]
      | map(.value.content |= (if . == null then . elif has("application/json") then {"application/json"} else . end))
      | from_entries)' openapi.json
}

cargo_program() {
  mkdir -p program/src
  cp "$here/$1.rs" program/src/main.rs
  printf '[package]\nname = "program"\nversion = "0.1.0"\nedition = "2024"\n[dependencies]\n%s\n' "$2" >program/Cargo.toml
  cd program
  cargo run -q -- "$BODY"
}

case "$1" in
typescript-fetch)
  openapi_generator typescript-fetch
  cp "$here/typescript-fetch.txt" made/program.ts
  cd made
  echo '{ "private": true, "type": "module" }' >package.json
  options='"strict": true, "noEmit": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "types": []'
  echo "{ \"compilerOptions\": { $options, \"lib\": [\"es2023\", \"dom\", \"dom.iterable\"] } }" >tsconfig.json
  npm install -s --no-audit --no-fund typescript@5.9.3 tsx@4
  npx tsc -p .
  npx tsx program.ts "$BODY"
  ;;
python)
  openapi_generator python
  cp "$here/python.py" made/program.py
  cd made
  ../venv/bin/python program.py "$BODY"
  ;;
go)
  openapi_generator go
  mkdir -p made/cmd/program
  cp "$here/go.txt" made/cmd/program/main.go
  cd made
  GOFLAGS=-mod=mod go run ./cmd/program "$BODY"
  ;;
java)
  openapi_generator java
  cp "$here/Program.java" made/src/main/java/
  cd made
  mvn -q -DskipTests compile dependency:build-classpath -Dmdep.outputFile=classpath.txt >maven.log
  java -cp "target/classes:$(cat classpath.txt)" Program "$BODY"
  ;;
rust)
  openapi_generator rust
  cargo_program rust $'openapi = { path = "../made" }\ntokio = { version = "1", features = ["rt", "macros"] }\nserde_json = "1"'
  ;;
ogen)
  jq 'del(.paths["/ready"])' openapi.json >ogen.json
  printf 'generator:\n  ignore_not_implemented: ["all"]\n' >ogen.yml
  go mod init program 2>/dev/null
  cp "$here/ogen.txt" main.go
  GOFLAGS=-mod=mod go run github.com/ogen-go/ogen/cmd/ogen@v1.14.0 --target api --package api --clean ogen.json >generator.log 2>&1
  go mod tidy 2>/dev/null
  go run . "$BODY"
  ;;
oapi-codegen)
  curl -sSf "$API/openapi.json" >openapi.json
  mkdir api
  go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 \
    -generate types,client,skip-prune -package api -o api/client.go openapi.json
  go mod init program 2>/dev/null
  cp "$here/oapi-codegen.txt" main.go
  go mod tidy 2>/dev/null
  go run . "$BODY"
  ;;
progenitor)
  simplify >simple.json
  cargo install -q --root tools cargo-progenitor@0.15.1
  tools/bin/cargo-progenitor progenitor -i simple.json -o made -n made -v 0.1.0 >generator.log 2>&1
  cargo_program progenitor $'made = { path = "../made" }\ntokio = { version = "1", features = ["rt", "macros"] }\nreqwest = { version = "0.13", default-features = false }\nserde_json = "1"\nfutures-util = "0.3"'
  ;;
*)
  echo "unknown generator $1" >&2
  exit 2
  ;;
esac
