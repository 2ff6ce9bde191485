/** The engine of a test file together with the servers that its runs call, which are closed with it. */
import { startEngine, type EngineLimits, type TestEngine } from './engine.ts';
import { startHttpRecorder, type HttpRecorder } from './http-recorder.ts';
import { startModelServer, type ModelServer } from './model-server.ts';

export interface EngineWithRecorder {
  readonly engine: TestEngine;
  readonly recorder: HttpRecorder;
}
export interface EngineWithModel extends EngineWithRecorder {
  readonly model: ModelServer;
}

type Environment = Readonly<Record<string, string>>;
type Server = Pick<HttpRecorder, 'hostPort' | 'close'>;

/** Runs may call the servers, beside the addresses that OUTBOUND_ALLOW names already. */
async function startBeside(
  servers: readonly Server[],
  { OUTBOUND_ALLOW, ...environment }: Environment,
  limits?: EngineLimits,
): Promise<TestEngine> {
  const own = OUTBOUND_ALLOW === undefined ? [] : [OUTBOUND_ALLOW];
  const allowed = [...servers.map(({ hostPort }) => hostPort), ...own];
  const engine = await startEngine({ ...environment, OUTBOUND_ALLOW: allowed.join(',') }, undefined, limits);
  const close = async (): Promise<void> => {
    try {
      await engine.close();
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  };
  return { ...engine, close };
}

/** Its HTTP tools call the recorder. */
export async function startEngineWithRecorder(environment: Environment = {}): Promise<EngineWithRecorder> {
  const recorder = await startHttpRecorder();
  return { recorder, engine: await startBeside([recorder], environment) };
}

/** The variables by which the managed models are the scripted server. */
export const managedModels = ({ baseUrl }: ModelServer): Environment => ({
  MANAGED_LLM_BASE_URL: baseUrl,
  MANAGED_LLM_API_KEY: 'managed-llm-key',
  MANAGED_LLM_MODEL: 'test-model',
  MANAGED_EMBEDDING_BASE_URL: baseUrl,
  MANAGED_EMBEDDING_API_KEY: 'managed-embedding-key',
  MANAGED_EMBEDDING_MODEL: 'test-embedding',
});

/** The managed models are the scripted server; HTTP tools call the recorder. */
export async function startEngineWithModel(
  environment: Environment = {},
  limits?: EngineLimits,
): Promise<EngineWithModel> {
  const [recorder, model] = await Promise.all([startHttpRecorder(), startModelServer()]);
  const engine = await startBeside([recorder, model], { ...managedModels(model), ...environment }, limits);
  return { recorder, model, engine };
}
