/** Starts a process of the service again when it ends, as an orchestrator would do it. */
import type { Child } from './processes.ts';

const MAX_RESTARTS = 20;

interface Service {
  readonly name: string;
  readonly say: (what: string) => void;
  launch(): Promise<Child>;
  /** Resolves once the process serves. */
  ready(child: Child): Promise<void>;
  /** Takes the process; calls back with how it ended, unless somebody stopped it. */
  own(child: Child, onEnd: (how: string) => void): void;
  /** Called when another start would not help. */
  onFailure(child: Child, how: string): void;
}

/** @returns when the first process serves */
export async function keepRunning(service: Service): Promise<void> {
  const { name, say } = service;
  let restarts = 0;
  const begin = async (): Promise<void> => {
    say(`${name}: starting`);
    const child = await service.launch();
    let isReady = false;
    service.own(child, (how) => {
      // One that never comes up has a fault that another start does not mend.
      if (!isReady || restarts === MAX_RESTARTS) return service.onFailure(child, how);
      restarts += 1;
      say(`${name}: ended (${how}), restarting`);
      begin().catch((error: unknown) => service.onFailure(child, String(error)));
    });
    await service.ready(child);
    isReady = true;
    say(`${name}: ready`);
  };
  await begin();
}
