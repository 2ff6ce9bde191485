/** The host of a call that an advance has begun: the advance itself at first, and the activity that takes the call over. */
import type { HeartbeatPosition } from '../engine.ts';
import type { Host } from './host.ts';

export class CallHost implements Host {
  readonly attempt = 1;
  readonly #abandoned = new AbortController();
  /** The activity that has taken the call over. */
  #host: Host | null = null;
  #position: (() => HeartbeatPosition) | null = null;
  #stopBeating: (() => void) | null = null;

  get signal(): AbortSignal {
    return this.#abandoned.signal;
  }

  cancelRequested(): boolean {
    return this.#host?.cancelRequested() ?? false;
  }

  startHeartbeat(position: () => HeartbeatPosition): () => void {
    this.#position = position;
    return () => {
      this.#position = null;
      this.#stopBeating?.();
    };
  }

  /** Without an activity, nobody else can hear of the cancellation. */
  async awaitCancellation(position: () => HeartbeatPosition): Promise<void> {
    await this.#host?.awaitCancellation(position);
  }

  /** The call goes on in an activity, which beats for it and may be cancelled. */
  moveTo(host: Host): void {
    this.#host = host;
    if (this.#position !== null) this.#stopBeating = host.startHeartbeat(this.#position);
    if (host.signal.aborted) this.abandon();
    else host.signal.addEventListener('abort', () => this.abandon(), { once: true });
  }

  /** Ends the call: nobody waits for it any more. */
  abandon(): void {
    this.#abandoned.abort(new Error('The call was abandoned'));
  }
}
