/** A reader of run streams over real HTTP: every raw line, the frames as they come, and the end. */
import { get, type IncomingMessage } from 'node:http';

export interface StreamFrame {
  readonly type: string;
  readonly seq?: number;
  readonly [key: string]: unknown;
}

export class EventStream {
  readonly lines: string[] = [];
  readonly frames: StreamFrame[] = [];
  readonly response: IncomingMessage;
  readonly ended: Promise<void>;
  #waiting: (() => void)[] = [];

  private constructor(response: IncomingMessage) {
    this.response = response;
    let pending = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const lines = (pending + chunk).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) {
        this.lines.push(line);
        if (line.startsWith('data: ')) this.frames.push(JSON.parse(line.slice(6)) as StreamFrame);
      }
      this.#told();
    });
    this.ended = new Promise((resolve) => {
      response.once('close', () => {
        resolve();
        this.#told();
      });
    });
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventStream> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers, agent: false }, resolve).once('error', reject);
    });
    return new EventStream(response);
  }

  #told(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Waits until a frame of the type has come; rejects when the stream ends without. */
  async frame(type: string): Promise<StreamFrame> {
    for (;;) {
      const found = this.frames.find((frame) => frame.type === type);
      if (found !== undefined) return found;
      if (this.response.closed) throw new Error(`the stream ended without ${type}: ${this.lines.join('\n')}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Waits for the end; all frames. */
  async finish(): Promise<readonly StreamFrame[]> {
    await this.ended;
    return this.frames;
  }

  drop(): void {
    this.response.destroy();
  }
}
