/** The integration catalog: the list that a new entry is added to, and how entries are found. */
import { anthropic } from './anthropic.ts';
import { github } from './github.ts';
import { http } from './http.ts';
import { mcp } from './mcp.ts';
import { notion } from './notion.ts';
import { openai } from './openai.ts';
import { slack } from './slack.ts';
import type { Action, AuthScheme, Integration } from './integration.ts';

export const integrations: readonly Integration[] = [anthropic, github, http, mcp, notion, openai, slack];

const byName = new Map(integrations.map((integration) => [integration.name, integration]));

/** The entry of this name, or null. */
export function findIntegration(name: string): Integration | null {
  return byName.get(name) ?? null;
}

/** The action of this name, or null. */
export function findAction(integration: Integration, name: string): Action | null {
  return integration.actions.find((action) => action.name === name) ?? null;
}

/** How this type of account is used, or null when the integration does not take it. */
export function findScheme(integration: Integration, type: string): AuthScheme | null {
  return integration.auth.find((scheme) => scheme.type === type) ?? null;
}

/**
 * True if the catalog's entry does what a definition pinned to `version` counts on: the same major version, and not
 * an older one (semantic versioning: within a major version entries only gain).
 */
export function serves({ version: current }: Integration, version: string): boolean {
  const [have, want] = [current, version].map((text) => text.split('.').map(Number));
  if (have?.length !== 3 || want?.length !== 3 || want.some((part) => !Number.isInteger(part))) return false;
  const [major = 0, minor = 0, patch = 0] = have;
  const [wantMajor = 0, wantMinor = 0, wantPatch = 0] = want;
  return major === wantMajor && (minor > wantMinor || (minor === wantMinor && patch >= wantPatch));
}
