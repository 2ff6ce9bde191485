/** The ports through which nodes reach external services; the worker implements them. */
import type { FileReference } from '../graph/values/file-reference.ts';
import type { Json, JsonObject } from '../graph/values/value.ts';
import type { Patterns } from './pattern.ts';
import type { RowQuery } from './tool/row-request.ts';
import type { ParseTask } from './transformer/parse-config.ts';

export interface NodeTools {
  readonly http: HttpPort;
  readonly models: ModelPort;
  readonly sandbox: SandboxPort;
  readonly parser: ParserPort;
  readonly memory: MemoryPort;
  readonly credentials: CredentialsPort;
  readonly mcp: McpPort;
  readonly compositions: CompositionPort;
  readonly knowledge: KnowledgePort;
  readonly tables: TablesPort;
  readonly files: FilesPort;
  /** The cache of compiled patterns of the process. */
  readonly patterns: Patterns;
}

/** A reference to a credential; its secret is added only when a request is sent. */
export interface CredentialRef {
  readonly organizationId: string;
  readonly credentialId: string;
}
export interface CredentialsPort {
  /**
   * Finds the integration and the base URL of a credential (null: the node decides).
   * Throws NothingSentError `credential_not_found`, `credential_revoked`, `credential_expired`, `credential_unreadable`.
   */
  find(ref: CredentialRef): Promise<{ readonly integration: string; readonly baseUrl: string | null }>;
}

/** A body that is read while it is sent, anew for each hop. */
export interface StreamedBody {
  /** Bytes of all of it. */
  readonly size: number;
  open(): AsyncIterable<Uint8Array>;
}

/** A file that comes with an answer, as its sender describes it. */
interface ComingFile {
  readonly name: string;
  /** A `Content-Type`; '' when there is none. */
  readonly mediaType: string;
}
/**
 * Stores a file while it comes. Throws NodeError `file_too_large`, `file_storage_full`, `file_not_stored` (retryable), and what the pieces
 * throw; then nothing is stored.
 */
type FileKeeper = (file: ComingFile, pieces: AsyncIterable<Uint8Array>) => Promise<FileReference>;

export interface FilesPort {
  /**
   * Opens what keeps files for a run, which live as long as its values.
   * @throws NothingSentError `files_not_configured`, `file_storage_full`
   */
  keeper(run: { readonly organizationId: string; readonly runPk: string }): Promise<FileKeeper>;
  /**
   * Finds a file of the organization, which must be as its reference says.
   * @returns what opens it. @throws NothingSentError `file_not_found`, `file_changed`
   */
  find(organizationId: string, reference: FileReference): Promise<() => AsyncIterable<Uint8Array>>;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | StreamedBody | null;
  readonly signal: AbortSignal;
  /** The credential to send: only to its allowed hosts, never to another origin after a redirect. */
  readonly credential?: CredentialRef;
  /**
   * The organization whose keep-alive connections the request may use. Only for requests that may be sent twice: if the server
   * closes such a connection, the request is sent again. Undefined: a connection of its own.
   */
  readonly connectionsOf?: string;
  /** True: after any 401 the request is sent again with a new token. Else only after a 401 that guarantees no effect. */
  readonly mayRepeat?: boolean;
  /**
   * Decides whether the body of an answer is kept as a file, in place of being read into memory.
   * @param answer its status, headers, and the URL that it is of
   * @returns null: it is read
   */
  readonly keep?: (
    answer: Pick<HttpResponse, 'status' | 'headers'> & { readonly url: URL },
  ) => ((pieces: AsyncIterable<Uint8Array>) => Promise<FileReference>) | null;
  /** Asked before a redirect is followed. @throws the refusal */
  readonly admitHop?: (hop: { readonly method: string; readonly host: string }) => void;
}
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of `set-cookie`, one each; undefined: none. */
  readonly cookies?: readonly string[];
  /** The decoded body; '' when it is binary. */
  readonly text: string;
  /** U+FFFD replaces bytes that are invalid in the charset. */
  readonly isDamaged?: boolean;
  /** A binary body. */
  readonly bytes?: Uint8Array;
  /** The body that was kept as a file. */
  readonly file?: FileReference;
  /** The node reads it as this, whatever its media type says; undefined: by its media type. */
  readonly readAs?: 'json' | 'text';
}
/** Sends HTTP requests to URLs of tenants: public unicast addresses only, redirects checked, sizes limited. */
export interface HttpPort {
  /**
   * Throws NothingSentError `destination_not_allowed`, `connection_failed` (retryable), and NodeError
   * `network_error` (retryable), `redirect_refused`, `response_too_large`, `response_not_decodable`, `timeout`. With a credential also what
   * CredentialsPort throws, and NothingSentError `credential_host_not_allowed`.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}

/** Tokens of a model call, as the provider reports them. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens?: number;
  /** On the organization's own credential: not charged (SPEC API-credits). */
  readonly byok?: true;
}

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}
/** A tool as a model sees it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object. */
  readonly schema: JsonObject;
  /** Fingerprint of an MCP tool at the time of the offer; the model does not see it. */
  readonly fingerprint?: string;
}
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them; not always JSON. */
  readonly arguments: string;
}
/** A past turn: the answer of the model and the results of its calls. */
export interface ModelTurn {
  readonly content: string;
  readonly calls: readonly (ModelToolCall & { readonly result: string; readonly isError: boolean })[];
  /** A correction in the role of the user, or null. */
  readonly correction: string | null;
}
export interface ToolOffer {
  readonly tools: readonly ModelTool[];
  /** The tool that must be called now, or null. */
  readonly force: string | null;
  /** True: one answer may call several tools. */
  readonly parallel: boolean;
  /** True: no tool may be called any more; the tools are those of earlier turns. */
  readonly isClosed: boolean;
}
export interface ModelRequest {
  readonly organizationId: string;
  readonly provider: string;
  readonly model: string;
  /** Null: the managed model of the deployment. */
  readonly credentialId: string | null;
  readonly messages: readonly ModelMessage[];
  /** The past turns of an agent, oldest first. */
  readonly turns?: readonly ModelTurn[];
  readonly offer?: ToolOffer;
  readonly temperature: number | null;
  readonly maxOutputTokens: number | null;
  readonly reasoningEffort: string | null;
  readonly responseFormat: JsonObject | null;
  readonly stream: boolean;
  readonly signal: AbortSignal;
  onToken(delta: string, channel: 'content' | 'reasoning'): void;
  /** Called as soon as the provider reports usage, even if the answer turns out to be incomplete. */
  onUsage?(usage: Usage): void;
}
export interface ModelReply {
  readonly content: string;
  /** The tool calls that the model requests. */
  readonly toolCalls?: readonly ModelToolCall[];
  readonly reasoning: string | null;
  readonly model: string;
  readonly finishReason: string;
  readonly usage: Usage;
}
export interface ModelPort {
  /** One model call, no retries. Throws NodeError with the provider's status; never quotes a key. */
  complete(request: ModelRequest): Promise<ModelReply>;
}

export interface McpRequest {
  /** Null: the credential has the URL. */
  readonly serverUrl: string | null;
  readonly credential: CredentialRef | null;
  readonly tool: string;
  /** The required fingerprint of the tool; null: any. */
  readonly fingerprint: string | null;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  /** Awaited directly before the call is sent. @param repeatable true when the server declares the tool repeatable */
  beforeCall(repeatable: boolean): Promise<void>;
}
/** The description of a tool by its server. */
interface McpToolDescription {
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Changes with any change of the description. */
  readonly fingerprint: string;
}
export interface McpResult {
  /** The fingerprint of the called tool. */
  readonly fingerprint: string;
  readonly content: Json;
  readonly structured: Json;
  /** The tool itself reports a failure. */
  readonly isError: boolean;
}
/** Calls tools of MCP servers over Streamable HTTP. */
export interface McpPort {
  /**
   * Calls one tool. Throws the errors of HttpPort, and NodeError `mcp_tool_not_found`, `mcp_tool_changed`, `mcp_server_refused` (too many
   * tools, schemas that are too large), `mcp_error`.
   */
  call(request: McpRequest): Promise<McpResult>;
  /** Reads the description of one tool. Throws as `call` does. */
  describe(request: Omit<McpRequest, 'arguments' | 'beforeCall'>): Promise<McpToolDescription>;
}

export interface KnowledgeRequest {
  readonly organizationId: string;
  readonly knowledgeBaseIds: readonly string[];
  readonly query: string;
  readonly topK: number;
  readonly minScore: number;
  readonly filters: JsonObject;
  readonly includeContent: boolean;
  readonly includeMetadata: boolean;
  readonly signal: AbortSignal;
  /** Called for every search that was made, even if the request fails afterwards. */
  onUse(use: KnowledgeUse): void;
}
/** The usage and the price of one search. */
interface KnowledgeUse {
  readonly kind: string;
  readonly model: string;
  readonly isByok: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly creditsMc: number;
}
/** Searches the knowledge bases of an organization. */
export interface KnowledgePort {
  /**
   * Finds the best matches of all knowledge bases, best first. Throws NodeError `knowledge_base_not_found`, `invalid_input`,
   * `dimension_mismatch`, the codes of the billing gate, and what a model call throws.
   */
  search(request: KnowledgeRequest): Promise<readonly JsonObject[]>;
}

// Not an interface: a row is JSON, which has an index.
/** A row as nodes read it. */
export type TableRow = { readonly key: string; readonly value: Json; readonly version: number };
interface TableRef {
  readonly organizationId: string;
  readonly tableId: string;
}
/** Reads the tables of an organization; the engine writes them. */
export interface TablesPort {
  /** Reads a row; null when there is none. Throws NodeError `table_not_found`. */
  get(table: TableRef, key: string): Promise<TableRow | null>;
  /** Reads a page of rows by key. @returns `next` the key behind which the rest begins; null: that was all. Throws as `get` does */
  query(
    table: TableRef,
    query: RowQuery,
  ): Promise<{ readonly rows: readonly TableRow[]; readonly next: string | null }>;
}

export interface SandboxPort {
  /**
   * Runs a tenant's JavaScript with JSON in and JSON out. Waits for a turn of the organization before the timeout begins.
   * Throws NodeError `timeout`, `memory`, `function_error`, `argument_too_large`, `sandbox_lost` (retryable).
   */
  run(job: {
    readonly organizationId: string;
    readonly code: string;
    readonly argument: Json;
    readonly timeoutMs: number;
    readonly memoryMb: number;
    readonly signal: AbortSignal;
  }): Promise<{ readonly value: Json; readonly logs: readonly string[] }>;
}

/** Reads formats of others in processes without secrets and network, which end with each source. */
export interface ParserPort {
  /**
   * Waits for a turn of the organization. Throws NodeError `timeout`, `out_of_memory`, `parser_lost` (retryable), and the codes of
   * sources that cannot be read: `invalid_csv`, `invalid_xml`, `invalid_yaml`, `not_a_feed`, `not_found`, `damaged`, `too_deep`,
   * `too_large`, `too_many_items` and others.
   */
  parse(job: {
    readonly organizationId: string;
    readonly bytes: Uint8Array;
    readonly task: ParseTask;
    readonly signal: AbortSignal;
  }): Promise<Json>;
}

export interface MemoryPort {
  /** Reads the newest messages of a thread, oldest first. */
  read(organizationId: string, threadId: string, limit: number): Promise<readonly ModelMessage[]>;
  /** Appends the messages of one step; a repeated attempt changes nothing. */
  append(
    thread: { readonly organizationId: string; readonly threadId: string },
    of: { readonly runPk: string; readonly stepId: string },
    messages: readonly ModelMessage[],
  ): Promise<void>;
}

/** A definition that a model made for a user. */
export interface Composition {
  readonly organizationId: string;
  readonly userId: string | null;
  readonly threadId: string | null;
  /** Saving twice for the same step saves once. */
  readonly stepId: string;
  /** The workflow that the model was shown; null: a new workflow. */
  readonly base: {
    readonly workflowId: string;
    readonly editVersion: number;
    readonly definition: JsonObject;
  } | null;
  readonly definition: JsonObject;
  /** Checked only: a person decides what of it is saved. */
  readonly isProposal?: boolean;
}
export type CompositionOutcome =
  /** The definition to save: keys that the model left out are those of the base. */
  | { readonly kind: 'proposed'; readonly definition: JsonObject }
  | { readonly kind: 'saved'; readonly workflowId: string; readonly editVersion: number }
  /** Nothing was saved; the problems are for people and models. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };
export interface CompositionPort {
  /**
   * Validates a composition and saves it as one edit, merged with edits since the base. Throws NodeError `edit_conflict` when
   * both changed the same places, `workflow_not_found`, and `forbidden` for a user who may not edit any more.
   */
  save(composition: Composition): Promise<CompositionOutcome>;
}
