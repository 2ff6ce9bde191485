/** The plain activity: the HTTP call of a tool node, and nothing else. */
import { request } from 'undici';

export interface PeerActivities {
  callTool(url: string): Promise<unknown>;
}

export const peerActivities: PeerActivities = {
  async callTool(url) {
    const { statusCode, body } = await request(url);
    if (statusCode !== 200) throw new Error(`the tool answered ${statusCode}`);
    return body.json();
  },
};
