/** The web application on the whole service: a worker of this process runs what the API accepts. */
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import type { ApiDeps } from '../../../../src/processes/routes.ts';
import { startWebStack, type WebStack } from './web-stack.ts';

export interface EngineStack extends WebStack {
  readonly engine: TestEngine;
}

/** @param environment more variables for the API and the worker */
export async function startEngineStack(
  environment: Readonly<Record<string, string>> = {},
  more: Partial<Pick<ApiDeps, 'topups'>> = {},
): Promise<EngineStack> {
  let engine: TestEngine | null = null;
  const stack = await startWebStack(async (databaseUrl) => {
    engine = await startEngine({
      // The address of the page is known after the engine has started; a worker sends nobody there.
      APP_URL: 'http://127.0.0.1',
      ...environment,
      DATABASE_URL: databaseUrl,
    });
    return { engine: engine.engine, dispatcher: engine.dispatcher, ...more };
  }, environment);
  if (engine === null) throw new Error('No engine was started');
  const started: TestEngine = engine;
  const close = async (): Promise<void> => {
    await started.close();
    await stack.close();
  };
  return { ...stack, engine: started, close };
}
