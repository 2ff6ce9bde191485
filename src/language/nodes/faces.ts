/** The types of nodes that definitions may have, each with its face (SPEC API-definition). */
import { agentFace } from './agent/face.ts';
import { conditionalFace } from './conditional/face.ts';
import { FACE_GROUPS, type NodeFace } from './face.ts';
import { functionFace } from './function/face.ts';
import { guardrailsFace } from './guardrails/face.ts';
import { interruptFace } from './interrupt/face.ts';
import { knowledgeFace } from './knowledge/face.ts';
import { llmFace } from './llm/face.ts';
import { toolFace } from './tool/face.ts';
import { transformerFace } from './transformer/face.ts';

/** In the order of the API's documents. */
const FACES = {
  llm: llmFace,
  tool: toolFace,
  agent: agentFace,
  function: functionFace,
  conditional: conditionalFace,
  interrupt: interruptFace,
  transformer: transformerFace,
  guardrails: guardrailsFace,
  knowledge: knowledgeFace,
} satisfies Readonly<Record<string, NodeFace>>;

export type NodeType = keyof typeof FACES;
/** Types that runs may have: also that of the service's own workflows, unknown in a client's definition. */
export type RunnableType = NodeType | 'composer';
export const NODE_TYPES = Object.keys(FACES) as readonly NodeType[];

/** Whether definitions may have nodes of a type. */
export const isNodeType = (type: unknown): type is NodeType =>
  typeof type === 'string' && Object.hasOwn(FACES, type);

/** Finds the face of a type; undefined for a type that is not known. */
export const findFace = (type: string): NodeFace | undefined => (isNodeType(type) ? FACES[type] : undefined);

/** Sorts by the parts of the menu; entries of one part keep their order. */
export const sortByGroup = <T extends Pick<NodeFace, 'group'>>(entries: readonly T[]): readonly T[] =>
  FACE_GROUPS.flatMap((group) => entries.filter((entry) => entry.group === group));

/** All types with their faces, in the order of the menu. */
export const listFaces = (): readonly (NodeFace & { readonly type: NodeType })[] =>
  sortByGroup(NODE_TYPES.map((type) => ({ type, ...FACES[type] })));
