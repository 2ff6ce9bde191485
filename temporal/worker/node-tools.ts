/** Builds the tools of nodes: HTTP, models, MCP, credentials, knowledge, tables, sandbox, memory. */
import { RUN_DEPTH_HEADER, signRunDepth } from '../../src/platform/access/run-depth.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Config } from '../../src/base/config/config.ts';
import { findPublicOrigin } from '../../src/base/config/public-origin.ts';
import type { Db } from '../../src/base/db/client.ts';
import type { Logger } from '../../src/base/log.ts';
import type { CompositionPort, ModelPort, NodeTools } from '../../src/language/nodes/tools.ts';
import { openSandbox } from '../../src/platform/sandbox/sandbox.ts';
import { createParser } from '../../src/platform/knowledge/parsing/parser.ts';
import { openEmbeddings } from '../../src/platform/knowledge/embeddings.ts';
import { createGuardedAgent } from '../../src/platform/outbound/guarded-agent.ts';
import { guardedHttp } from '../../src/platform/outbound/guarded-http.ts';
import { OrganizationAgents } from '../../src/platform/outbound/organization-agents.ts';
import type { Embedding } from '../activities/ingest.ts';
import type { ExecuteTools, ToolUser } from '../../src/engine/runs/execute/deps.ts';
import { redactError } from '../../src/engine/runs/walk/redact.ts';
import { buildCallbackUrl } from '../../src/engine/runs/accept/callback-address.ts';
import { createThreadMemory } from '../../src/engine/runs/ledger/read/thread-memory.ts';
import { accountHttp } from '../../src/platform/credentials/account-http.ts';
import { Accounts } from '../../src/platform/credentials/node-credentials.ts';
import { knowledgePort } from '../../src/platform/knowledge/knowledge-search.ts';
import { createFilesPort } from '../../src/platform/files/node-files.ts';
import { openFileStore } from '../../src/platform/files/file-store.ts';
import { createTablesPort } from '../../src/platform/tables/node-tables.ts';
import { mcpPort } from '../../src/platform/outbound/mcp.ts';
import { models } from '../../src/platform/outbound/models.ts';
import { Patterns } from '../../src/language/nodes/pattern.ts';
import { RenewingVault } from '../../src/platform/credentials/vault/renewing-vault.ts';
import { Secrets } from '../../src/platform/credentials/vault/secrets.ts';
import { Vault } from '../../src/platform/credentials/vault/vault.ts';

interface WorkerTools extends ExecuteTools {
  readonly embedding: () => Embedding;
}

/** Shorter keys are placeholders of local endpoints (`none`, `ollama`); redacting them would remove ordinary words. */
const LEAST_KEY_LENGTH = 16;

/** Wraps the model port so that the operator's key is redacted from answers of the managed model. */
function redactManagedKey(models: ModelPort, key: string | undefined, secrets: Secrets): ModelPort {
  if (key === undefined || key.length < LEAST_KEY_LENGTH) return models;
  return {
    complete(request) {
      if (request.credentialId === null) secrets.add(key);
      return models.complete(request);
    },
  };
}

/**
 * Builds the tools once per worker; `close` ends the processes of the sandbox and of parsing, and the connections.
 * @param deps `compositions` saves what the Composer edits: workflows belong to a wing above this one
 */
export async function buildNodeTools(deps: {
  readonly config: Pick<
    Config,
    | 'appUrl'
    | 'auth'
    | 'host'
    | 'managedLlm'
    | 'managedMaxOutputTokens'
    | 'managedEmbedding'
    | 'outboundAllow'
    | 'encryptionKeys'
    | 'filesDirectory'
    | 'oauthClients'
    | 'port'
  >;
  readonly compositions: CompositionPort;
  readonly db: Db;
  readonly log: Logger;
}): Promise<WorkerTools & { close(): Promise<void> }> {
  const vault = new RenewingVault(new Vault(deps), deps);
  const { outboundAllow } = deps.config;
  const origin = findPublicOrigin(deps.config);
  const outbound = createGuardedAgent(outboundAllow, { keepAlive: false });
  const kept = new OrganizationAgents(outboundAllow);
  const modelPort = models(deps.config, new Accounts(vault, new Secrets()));
  const embeddings = openEmbeddings(deps);
  const files = createFilesPort(deps.db, openFileStore(deps.config));
  const sandbox = await openSandbox(deps.log);
  const parser = createParser(deps.log);
  const memory = createThreadMemory(deps.db);
  const patterns = new Patterns();
  /** Builds the headers that tell our own API the depth of the run. */
  const buildHeaders = ({ runDepth: depth }: ToolUser): Readonly<Record<string, string>> => ({
    [RUN_DEPTH_HEADER]: signRunDepth(deps.config.auth.apiKeySecret, { depth, nowMs: systemClock.now() }),
  });
  /** @param user the attempt that uses them, which counts the bytes of bodies; null: none */
  const createPorts = (secrets: Secrets, user: ToolUser | null): NodeTools => {
    const lease = user?.lease ?? null;
    const ownHeaders = () => (user === null ? {} : buildHeaders(user));
    const accounts = new Accounts(vault, secrets);
    const ownModels = modelPort.with({ credentials: accounts, lease });
    return {
      http: accountHttp(guardedHttp(outbound, { kept, lease, ownHeaders }), accounts),
      models: redactManagedKey(ownModels, deps.config.managedLlm?.apiKey, secrets),
      mcp: mcpPort({ agent: outbound, accounts, lease, ownHeaders }),
      credentials: accounts,
      compositions: deps.compositions,
      knowledge: knowledgePort({ db: deps.db, createEmbedder: embeddings.createEmbedder(secrets, lease) }),
      tables: createTablesPort(deps.db),
      files,
      sandbox: { run: (job) => sandbox.run(job, user === null ? undefined : () => user.pauseTimeout()) },
      parser: { parse: (job) => parser.parse(job, user === null ? undefined : () => user.pauseTimeout()) },
      memory: {
        read: (organizationId, threadId, limit) => memory.read(organizationId, threadId, limit),
        append: (thread, of, messages) =>
          memory.append(
            thread,
            of,
            messages.map(({ role, content }) => ({ role, content: secrets.text(content) })),
          ),
      },
      patterns,
    };
  };
  return {
    // For nodes that run within an advance, which open no secrets.
    ...createPorts(new Secrets(), null),
    vault: new Vault(deps),
    maxOutputTokens: deps.config.managedMaxOutputTokens,
    callbackUrl: (place) => buildCallbackUrl({ secret: deps.config.auth.apiKeySecret, origin }, place),
    attempt: createPorts,
    embedding() {
      const secrets = new Secrets();
      return {
        createEmbedder: embeddings.createEmbedder(secrets),
        redact: (error) => redactError(error, secrets),
      };
    },
    async close() {
      const connections = [outbound.agent, kept].map((agents) => agents.destroy());
      await Promise.all([
        sandbox.close(),
        parser.close(),
        modelPort.close(),
        embeddings.close(),
        ...connections,
      ]);
    },
  };
}
