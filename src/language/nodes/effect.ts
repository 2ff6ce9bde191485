/**
 * An effect is a value before it is an act: a sender prepares all that leaves, without sending, and then sends exactly that.
 * The same said of a config, before any run, is a pattern.
 */
import type { EffectClass } from '../graph/schedule/plan.ts';
import { findReferences } from '../graph/template/template.ts';
import { canonicalJson } from '../graph/values/canonical-json.ts';
import { sameJson, type Json, type JsonObject } from '../graph/values/value.ts';
import type { ComposedBody } from './tool/composed-body.ts';
import type { RowRequest } from './tool/row-request.ts';
import type { NodeCall, NodeIdentity, NodeResult, PrepareCall } from './kind.ts';
import type { HttpRequest, KnowledgeRequest, McpRequest, ModelMessage, ModelRequest } from './tools.ts';

/** The doors by which effects leave, and the part of a target that templates may decide. An action of an integration is an HTTP request. */
interface Doors {
  readonly http: {
    readonly target: { readonly method: string; readonly host: string };
    readonly decided: 'host';
    readonly request: Pick<HttpRequest, 'method' | 'url' | 'headers'> & {
      readonly body: string | Uint8Array | ComposedBody | null;
    };
    readonly shown: JsonObject;
  };
  readonly model: {
    readonly target: { readonly provider: string; readonly model: string };
    readonly decided: never;
    readonly request: Pick<
      ModelRequest,
      | 'messages'
      | 'turns'
      | 'offer'
      | 'temperature'
      | 'maxOutputTokens'
      | 'reasoningEffort'
      | 'responseFormat'
      | 'stream'
    >;
    /** The messages of the node itself; null: a judgement, which is not shown. */
    readonly shown: { readonly messages: readonly ModelMessage[] } | null;
  };
  readonly mcp: {
    /** A server of null is that of the credential. */
    readonly target: { readonly server: string | null; readonly tool: string };
    readonly decided: 'server';
    readonly request: Pick<McpRequest, 'arguments' | 'fingerprint'>;
    readonly shown: JsonObject;
  };
  readonly search: {
    readonly target: { readonly knowledge_base_ids: readonly string[] };
    readonly decided: never;
    readonly request: Pick<
      KnowledgeRequest,
      'query' | 'topK' | 'minScore' | 'filters' | 'includeContent' | 'includeMetadata'
    >;
    readonly shown: JsonObject;
  };
  readonly run: {
    readonly target: { readonly workflow_id: string; readonly deployment: string };
    readonly decided: never;
    readonly request: { readonly input: JsonObject; readonly wait: boolean };
    readonly shown: JsonObject;
  };
  readonly table: {
    readonly target: { readonly table_id: string; readonly operation: string };
    readonly decided: never;
    readonly request: RowRequest;
    readonly shown: JsonObject;
  };
  readonly message: {
    readonly target: { readonly channel: string; readonly address: string };
    readonly decided: 'address';
    readonly request: { readonly url: string | null };
    readonly shown: null;
  };
}
type Door = keyof Doors;

/** A part of a target that only a run knows: from these references, or from the node's `credential`. */
interface Decided {
  readonly from: readonly string[];
}

/** An address that the credential has. */
export const BY_CREDENTIAL: Decided = { from: ['credential'] };

/** An effect that a config may have, known before any run. */
export interface PatternOf<D extends Door> {
  readonly door: D;
  readonly target: {
    readonly [Key in keyof Doors[D]['target']]:
      | Doors[D]['target'][Key]
      | (Key extends Doors[D]['decided'] ? Decided : never);
  };
  readonly effect: EffectClass;
  readonly credential_id: string | null;
}
export type EffectPattern = { readonly [D in Door]: PatternOf<D> }[Door];

/** All that leaves, but the secrets, which are added while sending. */
interface Sent<D extends Door> {
  readonly target: Doors[D]['target'];
  readonly request: Doors[D]['request'];
}

export interface PreparedEffect<D extends Door> extends Sent<D> {
  readonly door: D;
  readonly effect: EffectClass;
  readonly credential_id: string | null;
  /** The request in the step record. */
  readonly shown: Doors[D]['shown'];
  /** Secrets that it leaves out. */
  readonly hidden: readonly string[];
  /** SHA-256 over the canonical JSON (RFC 8785) of all that leaves, with its organization; computed when it is asked for. */
  readonly digest: () => Promise<string>;
}

/** The input of a model that a node asks the same in every run. */
export type FixedInput = Pick<Doors['model']['request'], 'messages' | 'responseFormat'>;

/** Something that sends one effect. */
interface Sender<Config, D extends Door> {
  describe(config: Config): PatternOf<D>;
  /** Renders all that leaves, and sends nothing. The same for the same state: without a clock, without chance. */
  prepare(call: PrepareCall<Config>): Promise<PreparedEffect<D>> | PreparedEffect<D>;
  /** Sends exactly what was prepared, and reads its answer. */
  perform(call: NodeCall<Config>, effect: PreparedEffect<D>): Promise<NodeResult> | NodeResult;
}

/** An effect of any door. */
export type AnyEffect = PreparedEffect<Door>;

/** A sender of any config and door, so that all fit one table. */
export interface AnySender extends Sender<unknown, Door> {
  describe(config: unknown): EffectPattern;
}

/** Erases the config and the door of a sender. */
export const defineSender = <Config, D extends Door>(sender: Sender<Config, D>): AnySender =>
  sender as unknown as AnySender;

/** Bytes have no JSON of their own; a Buffer has one, which the replacer would get in its place. */
function toDigestible(value: object): Json {
  function replace(this: Readonly<Record<string, unknown>>, key: string, part: unknown): unknown {
    const bytes = this[key];
    return bytes instanceof Uint8Array ? { base64: Buffer.from(bytes).toString('base64') } : part;
  }
  return JSON.parse(JSON.stringify(value, replace)) as Json;
}

/** Tells whether only a run knows a part of a target. */
export const isDecided = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && 'from' in part;

/** A target that its pattern does not name would leave unseen: the sheet of its version has no row for it. */
function requireNamed(pattern: { readonly target: object }, target: object): void {
  const exact = new Map<string, Json>(Object.entries(target));
  for (const [part, named] of Object.entries(pattern.target))
    if (!isDecided(named) && !sameJson(exact.get(part), named as Json))
      throw new Error(`An effect has another ${part} than its pattern`);
}

/**
 * Makes a pattern exact: the one place where effects are made, and where the rules of the organization hold for all doors.
 * @throws NodeError `effect_refused`; Error when the target is not what the pattern names: a fault of the sender
 */
export function makeEffect<D extends Door>(
  call: Pick<PrepareCall<unknown>, 'identity' | 'admit'>,
  pattern: PatternOf<D>,
  {
    target,
    request,
    shown,
    hidden = [],
  }: Sent<D> & Pick<PreparedEffect<D>, 'shown'> & { readonly hidden?: readonly string[] },
): PreparedEffect<D> {
  requireNamed(pattern, target);
  const { door, effect, credential_id } = pattern;
  call.admit({ door, target, effect, credential_id });
  const parts = { door, target, effect, credential_id, request, shown, hidden };
  return { ...parts, digest: () => computeDigest(call.identity, parts) };
}

/** Computes the digest of an effect. */
export async function computeDigest(
  { organizationId }: Pick<NodeIdentity, 'organizationId'>,
  { door, target, effect, credential_id, request }: Omit<AnyEffect, 'digest'>,
): Promise<string> {
  const sent = { organization_id: organizationId, door, target, effect, credential_id, request };
  const bytes = new TextEncoder().encode(canonicalJson(toDigestible(sent)));
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/**
 * Counts a change on the budgets of the run, and follows an effect for the ledger while it is performed.
 * @param approvedBy as in NodeCall.follow
 * @throws NodeError `budget_exceeded`, and the errors of `perform`
 */
export async function performCounted(
  call: Pick<NodeCall<unknown>, 'spend' | 'follow'>,
  effect: AnyEffect,
  ...performed: [perform: () => Promise<NodeResult> | NodeResult, approvedBy?: string]
): Promise<NodeResult> {
  // Tables have limits of their own: a write leaves nothing of the service.
  if (isChange(effect) && effect.door !== 'table') await call.spend(effect.door);
  return call.follow(effect, ...performed);
}

/** Prepares an effect, keeps what it shows of itself, and performs it. */
export async function send<Config, D extends Door>(
  call: NodeCall<Config>,
  sender: Sender<Config, D>,
): Promise<NodeResult> {
  const effect = await sender.prepare(call);
  call.keepInput(effect.shown as Json, effect.hidden);
  return performCounted(call, effect, () => sender.perform(call, effect));
}

/** The parts of a kind whose work is one effect. @param find the sender for a config */
export const sendsOne = <Config>(find: (config: Config) => AnySender) => ({
  sender: find,
  describe: (config: Config): readonly EffectPattern[] => [find(config).describe(config)],
  run: (call: NodeCall<Config>): Promise<NodeResult> => send(call, find(call.config)),
});

/** The text as it stands when it is literal, else what decides it. */
export function toPattern(text: string): string | Decided {
  const { references, errors } = findReferences(text);
  if (references.length === 0 && errors.length === 0) return text;
  return { from: [...new Set(references.map((reference) => reference.text))] };
}

/** The target of a pattern with null for the parts that only a run knows. */
export const toKnownTarget = ({ target }: Pick<EffectPattern, 'target'>): JsonObject =>
  Object.fromEntries(
    Object.entries(target).map(([part, named]) => [part, isDecided(named) ? null : (named as Json)]),
  );

/** Tells whether a target is known before any run. */
export const isExact = ({ target }: Pick<EffectPattern, 'target'>): boolean =>
  !Object.values(target).some(isDecided);

/** Tells whether an effect changes something outside of its run; of a sub-workflow its nodes tell. */
export const isChange = ({ door, effect }: Pick<EffectPattern, 'door' | 'effect'>): boolean =>
  door !== 'model' && door !== 'run' && effect !== 'pure';
