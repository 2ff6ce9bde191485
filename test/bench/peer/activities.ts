/** The bare activity: the HTTP call of a tool node, made directly, with nothing recorded. */
import { request } from 'undici';

export interface PeerActivities {
  callTool(url: string): Promise<unknown>;
}

export const peerActivities: PeerActivities = {
  async callTool(url) {
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    if (statusCode !== 200) throw new Error(`the tool answered ${statusCode}`);
    return body.json();
  },
};
