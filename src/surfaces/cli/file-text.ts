/** Writes workflow files. A changed YAML file keeps its comments, its order and its style where the value did not change. */
import { extname } from 'node:path';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type Document,
  type Node,
  type ToStringOptions,
} from 'yaml';
import { mergeDefinitions } from '../../language/graph/definition/merge.ts';
import {
  isObject,
  ownValue,
  sameJson,
  type Json,
  type JsonObject,
} from '../../language/graph/values/value.ts';
import { parseWorkflowFile, readText, type WorkflowFile } from './definition-files.ts';
import { CommandError } from './exit.ts';
import { toFileForm, type FileForm } from './file-form.ts';
import { replaceFile, writeNewFile } from './replace-file.ts';

/** Changes the nodes of a document whose values differ. */
class YamlEditor {
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  /** @returns the node of the new value: the given one wherever it can stay */
  edit(node: Node | null, value: Json): Node {
    if (node === null) return this.#create(value);
    if (!isAlias(node) && isMap(node) && isObject(value)) {
      for (const { key } of node.items.slice())
        if (ownValue(value, readKey(key)) === undefined) node.delete(key);
      for (const [name, item] of Object.entries(value)) {
        const pair = node.items.find(({ key }) => readKey(key) === name);
        if (pair === undefined) node.add(this.#document.createPair(name, item));
        else pair.value = this.edit(pair.value as Node | null, item);
      }
      return node;
    }
    if (isSeq(node) && Array.isArray(value)) {
      const items = node.items as Node[];
      const byId = new Map(items.map((item) => [readId(item), item]));
      node.items = value.map((item, index) => {
        const id = ownValue(item, 'id');
        const before = typeof id === 'string' ? byId.get(id) : items[index];
        return this.edit(before ?? null, item);
      });
      const [first] = items;
      // The parser gives the list what stands before its first element.
      if (first !== undefined && typeof node.commentBefore === 'string' && node.items.indexOf(first) > 0) {
        first.commentBefore = node.commentBefore;
        node.commentBefore = null;
      }
      return node;
    }
    if (sameJson(node.toJS(this.#document) as Json, value)) return node;
    const next = this.#create(value);
    const { comment, commentBefore, spaceBefore } = node;
    const isText = isScalar(node) && typeof value === 'string' && typeof node.value === 'string';
    return Object.assign(
      next,
      comment === undefined ? {} : { comment },
      commentBefore === undefined ? {} : { commentBefore },
      spaceBefore === undefined ? {} : { spaceBefore },
      // Keeps the quotes of a text.
      isText && node.type !== undefined ? { type: node.type } : {},
    );
  }

  #create(value: Json): Node {
    return this.#document.createNode(value) as Node;
  }
}

const readKey = (key: unknown): string => String(isScalar(key) ? key.value : key);
const readId = (item: Node): unknown => (isMap(item) ? item.get('id') : undefined);

/** Finds out how a file is written, so that a change does not format the rest of it. */
const findStyle = (text: string): ToStringOptions => ({
  flowCollectionPadding: /[{[] /.test(text) || !/[{[]\S/.test(text),
  indentSeq: !/^( *)(?:- )?[^\s#-].*:[ \t]*(?:#.*)?\n\1- /m.test(text),
});

/** @returns the text of a YAML file with another value; the file's syntax must be valid */
function editYaml(text: string, value: JsonObject): string {
  const document = parseDocument(text);
  document.contents = new YamlEditor(document).edit(document.contents, value) as typeof document.contents;
  try {
    return document.toString({ lineWidth: 0, ...findStyle(text) });
  } catch (error) {
    // An alias has lost its anchor.
    throw new CommandError(`the file cannot be changed: ${(error as Error).message}`);
  }
}

/**
 * The content of a file after its form has changed: parts that the form leaves out, such as automatic state fields, stay in
 * the file.
 */
function toContent(file: WorkflowFile, form: FileForm): JsonObject {
  const whole = file.schemaPath.length > 0 ? file.value : { ...file.fields, workflow_schema: file.value };
  const { id: _, ...written } = whole as JsonObject;
  const before = toFileForm(file.fields);
  const { definition } = mergeDefinitions(before, written, form);
  const isSame = sameJson(toFileForm(definition), form);
  const { slug: _slug, ...content } = isSame ? definition : form;
  return { slug: file.slug, ...content };
}

/**
 * Writes a form into the file that it changes.
 * @throws CommandError when the change cannot be written, such as the removal of a YAML anchor that is still used, and when
 *   the file is no longer the one that was read
 */
export async function updateFile(file: WorkflowFile, form: FileForm): Promise<void> {
  const content = toContent(file, form);
  const isJson = extname(file.path) === '.json';
  const text = isJson ? `${JSON.stringify(content, null, 2)}\n` : editYaml(toWholeText(file), content);
  const readBack = (path: string, written: string): FileForm =>
    toFileForm(parseWorkflowFile(path, written).fields);
  if (!sameJson(readBack(file.path, text), readBack('.json', JSON.stringify(content))))
    throw new CommandError(
      `${file.path}:1: the file cannot be changed without other changes. Edit it by hand`,
    );
  // A question may have waited for long.
  if ((await readText(file.path)) !== file.text)
    throw new CommandError('the file was changed while the command ran. Run it again');
  await replaceFile(file.path, text);
}

/** Indents a file that contains only a graph below `workflow_schema`, so that its comments stay beside their nodes. */
function toWholeText({ text, schemaPath }: WorkflowFile): string {
  return schemaPath.length > 0 ? text : `workflow_schema:\n${text.replaceAll(/^(?=.)/gm, '  ')}`;
}

/** Writes a new file, and never over another. */
export async function createFile(path: string, slug: string, form: FileForm): Promise<void> {
  const content = { slug, ...form };
  const isJson = extname(path) === '.json';
  const text = isJson ? `${JSON.stringify(content, null, 2)}\n` : stringify(content, { lineWidth: 0 });
  await writeNewFile(path, text);
}
