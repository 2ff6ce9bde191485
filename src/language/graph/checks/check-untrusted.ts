/** Warns where a text of others, unchecked, decides more than what is said: whom a request goes to, what it does, or what a model is told to do. */
import { MAX_PROBLEMS } from '../definition/definition.ts';
import type { ReadNode } from '../definition/read-node.ts';
import { quote } from '../definition/reader.ts';
import type { Link } from '../schedule/plan.ts';
import type { NodePolicy } from '../schedule/plan.ts';
import { findReferences } from '../template/template.ts';
import type { Reference } from '../template/template-scanner.ts';
import { addProblem, type CheckContext } from './examined.ts';
import type { PlaceKind, TextFlow, TextPlace, TextSource } from './text-flow.ts';
import { TextOrigins, type TextOrigin } from './text-origins.ts';
import { TriggerInput } from './trigger-input.ts';
import { ValueChecks } from './value-checks.ts';

/** A service with a credential is the organization's own account: its ids may choose what is changed in it, but the texts in it are of others. */
const REACHING: readonly TextSource[] = ['webhook', 'web', 'model', 'person'];
/** A model that has read none of these texts says nothing of others. */
const TELLING: readonly TextSource[] = ['webhook', 'web', 'account', 'person'];

/** The sources that may not decide a place unchecked. */
const SOURCES: Readonly<Record<PlaceKind, readonly TextSource[]>> = {
  host: [...REACHING, 'account'],
  path: REACHING,
  header: REACHING,
  field: REACHING,
  request: REACHING,
  instructions: TELLING,
  tools: TELLING,
};

const ORIGINS: Readonly<Record<TextSource, (name: string) => string>> = {
  webhook: (name) => `from the sender of webhook ${name}`,
  web: (name) => `from the answer of ${name}`,
  account: (name) => `from the answer of ${name}`,
  model: (name) => `from the model of ${name}`,
  person: (name) => `from outside by ${name}`,
};

const DEEDS: Readonly<Record<PlaceKind, (name: string) => string>> = {
  host: () => 'decides the host of the request',
  path: () => 'decides the path of a request that changes something',
  header: (name) => `is sent as the header ${name}`,
  field: (name) => `decides ${name} in a request that changes something`,
  request: () => 'is the whole request, which changes something',
  instructions: () => 'becomes a part of the instructions of a model',
  tools: (name) => `is read by an agent that acts without approval (${name})`,
};

/** Adds at most one `untrusted_to_sensitive` warning for each place. @param links implicit ones included */
export function checkUntrusted(
  examined: CheckContext,
  links: readonly Link[],
  policies: readonly (NodePolicy | null)[],
): void {
  const { read, kinds } = examined;
  const flows = read.nodes.map((node, index): TextFlow | null =>
    policies[index] === null || policies[index] === undefined ? null : kinds.textFlow(node.type, node.config),
  );
  const isSensitive = (flow: TextFlow | null): boolean => (flow?.places.length ?? 0) > 0;
  if (!flows.some(isSensitive)) return;
  const checks = new ValueChecks(flows, links);
  const isChecked = checks.isChecked.bind(checks);
  const origins = new TextOrigins({
    read,
    flows,
    input: new TriggerInput(read.triggers),
    isChecked,
    literalKeys: (type) => (kinds.has(type) ? kinds.literalKeys(type) : []),
  });
  for (const [index, node] of read.nodes.entries()) {
    const flow = flows[index] ?? null;
    // People see a request that they confirm, with all its values.
    if (flow === null || node.confirm !== null || node.disabled || node.mock !== undefined) continue;
    for (const place of flow.places) {
      if (examined.problems.length >= MAX_PROBLEMS) return;
      const found = findUnchecked({ node, flow, place }, (reference) =>
        isChecked(reference, index) ? new Set() : origins.find(reference, node),
      );
      if (found !== null) warn(examined, { node, place, ...found });
    }
  }
}

interface Unchecked {
  readonly reference: Reference & { readonly at: readonly (string | number)[] };
  readonly origin: TextOrigin;
}

function findUnchecked(
  { node, flow, place }: { readonly node: ReadNode; readonly flow: TextFlow; readonly place: TextPlace },
  findOrigins: (reference: Reference) => ReadonlySet<TextOrigin>,
): Unchecked | null {
  for (const reference of findReferences(place.value).references) {
    if (node.trustedValues.some(({ value }) => isWithin(reference.text, value))) continue;
    for (const origin of findOrigins(reference)) {
      // A service may say what is changed in it.
      const isOwn = place.kind !== 'host' && origin.host !== null && origin.host === flow.host;
      if (SOURCES[place.kind].includes(origin.source) && !isOwn) return { reference, origin };
    }
  }
  return null;
}

const isWithin = (text: string, value: string): boolean =>
  text === value || text.startsWith(`${value}.`) || text.startsWith(`${value}[`);

function warn(
  examined: CheckContext,
  { node, place, reference, origin }: Unchecked & { readonly node: ReadNode; readonly place: TextPlace },
): void {
  const came = ORIGINS[origin.source](quote(origin.name));
  const done = DEEDS[place.kind](quote(place.name ?? ''));
  addProblem(examined, {
    severity: 'warning',
    code: 'untrusted_to_sensitive',
    message: `Node ${quote(node.id)}: {{${reference.text}}}, ${came}, ${done}. Check it first, let people confirm it, or say in trusted_values why it may`,
    path: [...node.configPath, ...place.path],
    nodeId: node.id,
  });
}
