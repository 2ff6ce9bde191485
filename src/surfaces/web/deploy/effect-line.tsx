/** One effect in words, of a sheet or of the ledger: "POST hooks.slack.com with Team Slack". */
import { Code, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { SheetRow } from '../../client/compare-sheets.ts';
import { sheetWords } from '../words-sheet.ts';

export type Names = ReadonlyMap<string, string>;

/** Lists what decides a part of a target in a run; null for a part that is exact. */
function readDecided(part: unknown): readonly string[] | null {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return null;
  const { from } = part as { readonly from?: unknown };
  return Array.isArray(from) ? from.map(String) : null;
}

interface PartProps {
  readonly part: unknown;
  readonly names: Names;
  /** Its name while only a run knows it. */
  readonly unknown: string;
}

/** Shows a part of a target: itself, or what decides it. */
function Part({ part, names, unknown }: PartProps) {
  const decided = readDecided(part);
  if (decided === null) {
    const all = Array.isArray(part) ? part.map(String) : [String(part)];
    return <>{all.map((one) => names.get(one) ?? one).join(', ')}</>;
  }
  if (decided.join() === 'credential') return <>{sheetWords.byCredential(unknown)}</>;
  return (
    <Text span inherit c="dimmed">
      {sheetWords.decidedBy(unknown)}{' '}
      {decided.map((reference, at) => (
        <Fragment key={reference}>
          {at > 0 && ', '}
          <Code>{reference}</Code>
        </Fragment>
      ))}
    </Text>
  );
}

/** Orders the parts of a target as a sentence has them. */
function listParts({ door, target }: Pick<SheetRow, 'door' | 'target'>): readonly ReactNode[] {
  const { by, pinned } = sheetWords;
  switch (door) {
    case 'http':
      return [target['method'], target['host']] as ReactNode[];
    case 'model':
      return [target['model'], by.model, target['provider']] as ReactNode[];
    case 'mcp':
      return [target['tool'], by.mcp, target['server']] as ReactNode[];
    case 'message':
      return [target['channel'], by.message, target['address']] as ReactNode[];
    case 'search':
      return [target['knowledge_base_ids']] as ReactNode[];
    case 'table':
      return [target['operation'], target['table_id']] as ReactNode[];
    case 'run': {
      const isLive = target['deployment'] === 'live';
      return [target['workflow_id'], ...(isLive ? [] : [`(${pinned})`])] as ReactNode[];
    }
  }
}

interface EffectTargetProps {
  readonly row: Pick<SheetRow, 'door' | 'target'>;
  readonly names: Names;
}

/** Says what an effect does and to what. */
export function EffectTarget({ row, names }: EffectTargetProps) {
  const { door, unknown } = sheetWords.doors[row.door];
  return (
    <Text span inherit style={{ overflowWrap: 'break-word' }}>
      {door !== '' && `${door} `}
      {listParts(row).map((part, at) => (
        // The parts of a target never change their order.
        <Fragment key={at}>
          {at > 0 && ' '}
          {/* In the ledger: nobody knows it. */}
          {part === null ? unknown : <Part part={part} names={names} unknown={unknown} />}
        </Fragment>
      ))}
    </Text>
  );
}

/** The name of the credential of an effect; null without one. */
export const nameAccount = (
  { credential_id: id }: Pick<SheetRow, 'credential_id'>,
  names: Names,
): string | null => (id === null ? null : (names.get(id) ?? sheetWords.otherAccount));
