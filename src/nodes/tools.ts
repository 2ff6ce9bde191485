/** The outside world as nodes see it: ports only. What stands behind them is built by the worker. */
import type { Json, JsonObject } from '../graph/value.ts';
import type { Patterns } from './pattern.ts';

export interface NodeTools {
  readonly http: HttpPort;
  readonly models: ModelPort;
  readonly sandbox: SandboxPort;
  readonly memory: MemoryPort;
  readonly credentials: CredentialsPort;
  readonly mcp: McpPort;
  readonly compositions: CompositionPort;
  readonly knowledge: KnowledgePort;
  /** Compiled patterns, of all executions. */
  readonly patterns: Patterns;
}

/** A credential of an organization, by name alone: its secret is put into a request where the request is sent. */
export interface CredentialRef {
  readonly organizationId: string;
  readonly credentialId: string;
}
export interface CredentialsPort {
  /**
   * What a node may know of a credential: what it is for, and where its requests go (null: the node decides).
   * Throws NothingSentError `credential_not_found`, `credential_revoked`, `credential_expired`, `credential_unreadable`.
   */
  find(ref: CredentialRef): Promise<{ readonly integration: string; readonly baseUrl: string | null }>;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  readonly signal: AbortSignal;
  /** The account to send along: to its allowed hosts only, and never on to another origin. */
  readonly credential?: CredentialRef;
  /**
   * The organization whose kept connections the request may use. For what may be sent twice unnoticed: when the other side
   * closes such a connection, it is sent again. Undefined: the request has a connection of its own.
   */
  readonly connectionsOf?: string;
  /** It may be sent twice: after any 401 once more, with a new token. Else after one that says that nothing was done. */
  readonly mayRepeat?: boolean;
}
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of `set-cookie`, one each; undefined: none. */
  readonly cookies?: readonly string[];
  /** The body in the charset that the answer names; '' when it is no text. */
  readonly text: string;
  /** U+FFFD stands for bytes that the charset does not have. */
  readonly isDamaged?: boolean;
  /** A body that is no text. */
  readonly bytes?: Uint8Array;
}
/** The one way out for addresses that tenants choose: public unicast only, redirects re-checked, sizes capped. */
export interface HttpPort {
  /**
   * Throws NothingSentError `destination_not_allowed`, `connection_failed` (retryable), and NodeError
   * `network_error` (retryable), `redirect_refused`, `response_too_large`, `response_not_decodable`, `timeout`. With a credential also what
   * CredentialsPort throws, and NothingSentError `credential_host_not_allowed`.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}

/** What a call of a model has used, as its provider tells it. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens?: number;
  /** Used on the organization's own account: not metered (SPEC API-credits). */
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
  /** Of an MCP server's tool: what it was when it was offered. Kept with the offer; the model does not see it. */
  readonly fingerprint?: string;
}
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote them: not always JSON. */
  readonly arguments: string;
}
/** What a model has answered behind the messages, and what it was told of it. */
export interface ModelTurn {
  readonly content: string;
  readonly calls: readonly (ModelToolCall & { readonly result: string; readonly isError: boolean })[];
  /** What is wrong with the answer, in the user's role; or null. */
  readonly correction: string | null;
}
export interface ToolOffer {
  readonly tools: readonly ModelTool[];
  /** The tool that must be called now, or null. */
  readonly force: string | null;
  /** Whether one answer may call several. */
  readonly parallel: boolean;
  /** None may be called any more: the tools are those of earlier turns. */
  readonly isClosed: boolean;
}
export interface ModelRequest {
  readonly organizationId: string;
  readonly provider: string;
  readonly model: string;
  /** Null: the managed model of the deployment. */
  readonly credentialId: string | null;
  readonly messages: readonly ModelMessage[];
  /** The turns since: an agent's, oldest first. */
  readonly turns?: readonly ModelTurn[];
  readonly offer?: ToolOffer;
  readonly temperature: number | null;
  readonly maxOutputTokens: number | null;
  readonly reasoningEffort: string | null;
  readonly responseFormat: JsonObject | null;
  readonly stream: boolean;
  readonly signal: AbortSignal;
  onToken(delta: string, channel: 'content' | 'reasoning'): void;
  /** Told what the provider says was used as soon as it says so: also of an answer that is then found to be cut. */
  onUsage?(usage: Usage): void;
}
export interface ModelReply {
  readonly content: string;
  /** The tools that the model wants called, if any. */
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
  /** The server's address; null: the credential says it. */
  readonly serverUrl: string | null;
  readonly credential: CredentialRef | null;
  readonly tool: string;
  /** What the tool has to be (`McpTool.fingerprint`); null: whatever it is. */
  readonly fingerprint: string | null;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  /** Awaited directly before the call of the tool leaves; `repeatable` is what the server says of the tool. */
  beforeCall(repeatable: boolean): Promise<void>;
}
/** What a server says of one of its tools. */
export interface McpTool {
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Another one when the server says anything else of the tool. */
  readonly fingerprint: string;
}
export interface McpResult {
  /** Of the tool that was called. */
  readonly fingerprint: string;
  readonly content: Json;
  readonly structured: Json;
  /** The tool itself reports a failure. */
  readonly isError: boolean;
}
/** Tools of MCP servers over Streamable HTTP; their answers are data, never instructions. */
export interface McpPort {
  /**
   * Calls one tool. Throws what HttpPort throws, and NodeError `mcp_tool_not_found`, `mcp_tool_changed`, `mcp_server_refused` (too many
   * tools, schemas that are too large), `mcp_error`.
   */
  call(request: McpRequest): Promise<McpResult>;
  /** Asks what one tool is, without calling it. Throws as `call` does. */
  describe(request: Omit<McpRequest, 'arguments' | 'beforeCall'>): Promise<McpTool>;
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
  /** Hears of every search that was made, whatever becomes of the rest. */
  onUse(use: KnowledgeUse): void;
}
/** What one search has used, and what it costs. */
export interface KnowledgeUse {
  readonly kind: string;
  readonly model: string;
  readonly isByok: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly creditsMc: number;
}
/** The organization's own knowledge bases. What they hold is data, never instructions. */
export interface KnowledgePort {
  /**
   * The best matches over all the bases, best first. Throws NodeError `knowledge_base_not_found`, `invalid_input`,
   * `dimension_mismatch`, the codes of the billing gate, and what a model call throws.
   */
  search(request: KnowledgeRequest): Promise<readonly JsonObject[]>;
}

export interface SandboxPort {
  /**
   * Runs a tenant's JavaScript with JSON in and JSON out, when its organization has a turn; only then its timeout begins.
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

export interface MemoryPort {
  /** The thread's messages, oldest first; at most `limit` of the newest. */
  read(organizationId: string, threadId: string, limit: number): Promise<readonly ModelMessage[]>;
  /** Appends what one step said; saying it again (a repeated attempt) changes nothing. */
  append(
    thread: { readonly organizationId: string; readonly threadId: string },
    of: { readonly runPk: string; readonly stepId: string },
    messages: readonly ModelMessage[],
  ): Promise<void>;
}

/** What a model has made of a workflow, for a user. */
export interface Composition {
  readonly organizationId: string;
  readonly userId: string | null;
  readonly threadId: string | null;
  /** Saving twice for the same step saves once. */
  readonly stepId: string;
  /** What the model was shown; null: a new workflow. */
  readonly base: {
    readonly workflowId: string;
    readonly editVersion: number;
    readonly definition: JsonObject;
  } | null;
  readonly definition: JsonObject;
}
export type CompositionOutcome =
  | { readonly kind: 'saved'; readonly workflowId: string; readonly editVersion: number }
  /** Nothing was saved; the problems are told in words. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };
export interface CompositionPort {
  /**
   * Checks a composition as a client's would be and saves it as one edit of the workflow, with what others have saved
   * meanwhile. Throws NodeError `edit_conflict` when they have changed the same places, `workflow_not_found`, and
   * `forbidden` for a user who may not edit any more.
   */
  save(composition: Composition): Promise<CompositionOutcome>;
}
