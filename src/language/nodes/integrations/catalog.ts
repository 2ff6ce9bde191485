/** The integration catalog and lookups in it. */
import { airtable } from './airtable.ts';
import { anthropic } from './anthropic.ts';
import { chatWebhook } from './chat-webhook.ts';
import { discord } from './discord.ts';
import { elevenlabs } from './elevenlabs.ts';
import { github } from './github.ts';
import { googleSheets } from './google-sheets.ts';
import { hubspot } from './hubspot.ts';
import { jira } from './jira.ts';
import { gmail } from './gmail.ts';
import { googleDrive } from './google-drive.ts';
import { microsoftGraph } from './microsoft-graph.ts';
import { quickbooks } from './quickbooks.ts';
import { http } from './http.ts';
import { mcp } from './mcp.ts';
import { notion } from './notion.ts';
import { openai } from './openai.ts';
import { shopify } from './shopify.ts';
import { slack } from './slack.ts';
import { telegram } from './telegram.ts';
import type { Action, AuthScheme, Integration } from './integration.ts';

export const integrations: readonly Integration[] = [
  airtable,
  anthropic,
  chatWebhook,
  discord,
  elevenlabs,
  github,
  gmail,
  googleDrive,
  googleSheets,
  http,
  hubspot,
  jira,
  mcp,
  microsoftGraph,
  notion,
  openai,
  quickbooks,
  shopify,
  slack,
  telegram,
];

const byName = new Map(integrations.map((integration) => [integration.name, integration]));

/** Finds an entry by name, or null. */
export function findIntegration(name: string): Integration | null {
  return byName.get(name) ?? null;
}

/** Finds an action by name, or null. */
export function findAction(integration: Integration, name: string): Action | null {
  return integration.actions.find((action) => action.name === name) ?? null;
}

/** Finds the auth scheme of a type; null when the integration does not support it. */
export function findScheme(integration: Integration, type: string): AuthScheme | null {
  return integration.auth.find((scheme) => scheme.type === type) ?? null;
}

/** True if the entry is compatible with a pinned version: the same major version, and not older (semantic versioning). */
export function isServed({ version: current }: Integration, version: string): boolean {
  const [have, want] = [current, version].map((text) => text.split('.').map(Number));
  if (have?.length !== 3 || want?.length !== 3 || want.some((part) => !Number.isInteger(part))) return false;
  const [major = 0, minor = 0, patch = 0] = have;
  const [wantMajor = 0, wantMinor = 0, wantPatch = 0] = want;
  return major === wantMajor && (minor > wantMinor || (minor === wantMinor && patch >= wantPatch));
}
