// Writes the types of an OpenAPI document (stdin, JSON) to stdout, and which POSTs may be repeated. A process of its own, since the generator needs TypeScript 5.
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const { factory } = ts;
const EXPORTED = [factory.createToken(ts.SyntaxKind.ExportKeyword)];

const document = JSON.parse(await text(process.stdin));
const statements = await openapiTS(document, {
  // What has a default may be left out of a request.
  defaultNonNullable: false,
  // An object without named fields takes any.
  emptyObjectsUnknown: true,
  // stdout belongs to the types.
  silent: true,
});

const isNamed = (node, name) =>
  ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) && node.literal.text === name;

/** The name in `components["schemas"]["Name"]`; null for any other type. */
function readSchemaName(node) {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return null;
  const { objectType: inner, indexType: name } = node;
  const isSchemas =
    ts.isTypeReferenceNode(inner.objectType) &&
    inner.objectType.typeName.text === 'components' &&
    isNamed(inner.indexType, 'schemas');
  return isSchemas && ts.isLiteralTypeNode(name) ? name.literal.text : null;
}

/** Writes `Name` for `components["schemas"]["Name"]`. */
const shorten = (root) =>
  ts.transform(root, [
    (context) => {
      const visit = (node) => {
        const name = readSchemaName(node);
        return name === null
          ? ts.visitEachChild(node, visit, context)
          : factory.createTypeReferenceNode(name);
      };
      return (node) => ts.visitNode(node, visit);
    },
  ]).transformed[0];

/**
 * A draft may hold anything, so a definition with a mistake would pass as one. The symbol leaves two ways: a definition that is
 * right, and a draft of the service. Requests take `SavedDraft`, which has no fields: the compiler compares a definition that is
 * wrong with `WorkflowDefinition` then, and names the mistake.
 */
const DRAFT = 'WorkflowDraft';
const SAVED_DRAFT = 'SavedDraft';
const SAVED = 'declare const savedByService: unique symbol;\n';
const savedMember = factory.createPropertySignature(
  [factory.createToken(ts.SyntaxKind.ReadonlyKeyword)],
  factory.createComputedPropertyName(factory.createIdentifier('savedByService')),
  undefined,
  factory.createLiteralTypeNode(factory.createTrue()),
);

/** Declares a schema under its own name: an editor shows that name, where it shows all fields of an anonymous type. */
function declareSchema(property) {
  const { name, type } = property;
  const members = ts.isTypeLiteralNode(type) ? [...type.members] : name.text === SAVED_DRAFT ? [] : null;
  if ([DRAFT, SAVED_DRAFT].includes(name.text)) members.push(savedMember);
  const declaration =
    members === null
      ? factory.createTypeAliasDeclaration(EXPORTED, name.text, undefined, type)
      : factory.createInterfaceDeclaration(EXPORTED, name.text, undefined, undefined, members);
  return ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(property));
}

const declared = [];
/** Replaces each member of `components.schemas` by a reference to its declaration. */
const takeSchemas = (property) => {
  if (property.name.text !== 'schemas') return property;
  const references = property.type.members.map((schema) => {
    declared.push(declareSchema(schema));
    const type = factory.createTypeReferenceNode(schema.name.text);
    return factory.createPropertySignature(undefined, schema.name, undefined, type);
  });
  return factory.createPropertySignature(
    undefined,
    property.name,
    undefined,
    factory.createTypeLiteralNode(references),
  );
};

const isComponents = (node) => ts.isInterfaceDeclaration(node) && node.name.text === 'components';
const rest = statements
  .map(shorten)
  .map((node) =>
    isComponents(node)
      ? factory.updateInterfaceDeclaration(
          node,
          node.modifiers,
          node.name,
          undefined,
          undefined,
          node.members.map(takeSchemas),
        )
      : node,
  );
const types = astToString([...rest, ...declared]);
process.stdout.write(SAVED + types.replaceAll(' (enum property replaced by openapi-typescript)', ''));

const repeatable = Object.entries(document.paths).flatMap(([path, { post }]) =>
  post?.['x-repeatable'] === true ? [path] : [],
);
process.stdout.write(`/** Paths whose POST does nothing more when it is sent again. */
export const REPEATABLE_POSTS: ReadonlySet<string> = new Set(${JSON.stringify(repeatable)});
`);
