/** The differences of a run and its rehearsal: the node that changed first, requests side by side, and branches. */
import { List, SimpleGrid, Stack, Text } from '@mantine/core';
import { parsePointer, getAt } from '../../../language/graph/values/pointer.ts';
import { isObject, ownValue, type Json } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import type { SheetRow } from '../../client/compare-sheets.ts';
import { EffectTarget, nameAccount, type Names } from '../deploy/effect-line.tsx';
import { useNames } from '../deploy/use-sheets.ts';
import { RequestParts } from '../runs/effect-request.tsx';
import { ValueDifferences } from '../runs/value-differences.tsx';
import { rehearsalWords } from '../words-rehearsals.ts';
import { sheetWords } from '../words-sheet.ts';
import type { FoundGroup } from './run-group.tsx';
import type { NodeNames } from './use-rehearsals.ts';

type Difference = FoundGroup['differences'][number];

const asJson = (value: unknown): Json => (value ?? null) as Json;

interface PlacesProps {
  readonly before: Json;
  readonly after: Json;
  readonly places: readonly string[];
}

/** The values at the places that differ. */
function Places({ before, after, places }: PlacesProps) {
  // One of them was too large to keep: its places are all that is known.
  const isKnown = before !== null || after !== null;
  const read = (value: Json, tokens: readonly string[]): Json | undefined =>
    value === null ? undefined : getAt(value, tokens);
  if (!isKnown)
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {places.map((place) => parsePointer(place).join(' › ')).join(', ')}
      </Text>
    );
  return (
    <ValueDifferences
      sides={rehearsalWords.sides}
      differences={places.map((place) => {
        const tokens = parsePointer(place);
        return { path: tokens, values: [read(before, tokens), read(after, tokens)] };
      })}
    />
  );
}

interface RequestProps {
  readonly title: string;
  /** Null: none, or too large. */
  readonly effect: Json;
  readonly isAbsent: boolean;
  readonly names: Names;
}

/** One of two requests: to what it goes, and all that it has. */
function Request({ title, effect, isAbsent, names }: RequestProps) {
  const request = ownValue(effect, 'request');
  const target = ownValue(effect, 'target');
  const door = readText(isObject(effect) ? effect : {}, 'door');
  const account = isObject(effect) ? nameAccount(effect as unknown as SheetRow, names) : null;
  return (
    <Stack role="group" gap="xs" aria-label={title} miw={0}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {door in sheetWords.doors && isObject(target) && (
        <Text size="sm">
          <EffectTarget
            row={{ door: door as SheetRow['door'], target: target as SheetRow['target'] }}
            names={names}
          />
          {account !== null && ` ${sheetWords.with} ${account}`}
        </Text>
      )}
      {isObject(request) && <RequestParts request={request} />}
      {effect === null && (
        <Text size="sm" c="dimmed">
          {isAbsent ? rehearsalWords.nothingSent : rehearsalWords.notShown}
        </Text>
      )}
    </Stack>
  );
}

/** Says how an execution left. */
function describeWay(way: Json): string {
  if (!isObject(way)) return rehearsalWords.notReached;
  const [status, handle] = [readText(way, 'status'), readText(way, 'handle')];
  if (status === 'failed' && handle === '') return rehearsalWords.failed;
  return handle === '' || handle === 'default' ? rehearsalWords.wentOn : handle;
}

/** Says what an execution failed with; nothing when it has not. */
const describeError = (error: Json): string =>
  isObject(error) ? readText(error, 'message') || readText(error, 'code') : rehearsalWords.wentOn;

interface DifferenceProps {
  readonly difference: Difference;
  readonly names: Names;
  readonly nameNode: NodeNames;
}

function nameDifference(
  { node_id: nodeId, kind, visit, item_index: item }: Difference,
  names: NodeNames,
): string {
  const { kinds, run } = rehearsalWords;
  if (kind === 'output') return kinds.output;
  const execution = visit > 1 ? rehearsalWords.visit(visit) : '';
  const entry = item >= 0 ? rehearsalWords.item(item) : '';
  return `${nodeId === null ? run : names(nodeId)}${execution}${entry} ${kinds[kind]}`;
}

/** Two short texts beside each other. */
const TwoTexts = ({ texts }: { readonly texts: readonly [string, string] }) => (
  <SimpleGrid cols={2} spacing="sm">
    {rehearsalWords.sides.map((side, at) => (
      <div key={side}>
        <Text size="xs" c="dimmed">
          {side}
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {texts[at]}
        </Text>
      </div>
    ))}
  </SimpleGrid>
);

function Body({ difference: { kind, before, after, places }, names }: Omit<DifferenceProps, 'nameNode'>) {
  const [was, is] = [asJson(before), asJson(after)];
  if (kind === 'branches') return <TwoTexts texts={[describeWay(was), describeWay(is)]} />;
  if (kind === 'fails') return <TwoTexts texts={[describeError(was), describeError(is)]} />;
  if (kind === 'output' || kind === 'answer') return <Places before={was} after={is} places={places} />;
  return (
    <>
      {was !== null && is !== null && places.length > 0 && <Places before={was} after={is} places={places} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {rehearsalWords.sides.map((side, at) => (
          <Request
            key={side}
            title={side}
            effect={at === 0 ? was : is}
            isAbsent={kind === 'new_effect' && at === 0}
            names={names}
          />
        ))}
      </SimpleGrid>
    </>
  );
}

const Difference = ({ difference, names, nameNode }: DifferenceProps) => (
  <Stack gap="xs">
    <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
      {nameDifference(difference, nameNode)}
    </Text>
    <Body difference={difference} names={names} />
  </Stack>
);

const makeKey = ({ kind, node_id: nodeId, visit, item_index: item }: Difference): string =>
  [kind, nodeId, visit, item].join(' ');

interface DifferenceListProps {
  readonly found: Pick<FoundGroup, 'differences' | 'first_change'>;
  readonly names: NodeNames;
}

export function DifferenceList({
  found: { differences, first_change: change },
  names: nameNode,
}: DifferenceListProps) {
  const names = useNames();
  // Behind another branch every node is another one, and so is the output: the first difference tells why.
  const [firstBranch] = differences.filter(({ kind }) => kind === 'branches');
  const isCause = (one: Difference): boolean =>
    one === firstBranch || (one.kind !== 'branches' && one.kind !== 'output');
  const causes = differences.filter(isCause);
  const hasCause = change !== null || causes.length > 0;
  const shown = hasCause ? causes : differences;
  const follows = hasCause ? differences.filter((one) => !isCause(one)) : [];
  return (
    <>
      {change !== null && (
        <Stack gap="xs">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {rehearsalWords.firstChange(nameNode(change.node_id))}
          </Text>
          <Places before={asJson(change.before)} after={asJson(change.after)} places={change.places} />
        </Stack>
      )}
      {shown.map((difference) => (
        <Difference key={makeKey(difference)} difference={difference} names={names} nameNode={nameNode} />
      ))}
      {follows.length > 0 && (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {rehearsalWords.follows(follows.length)}
          </Text>
          <Stack gap="md" mt="xs">
            <List listStyleType="none" size="sm" spacing={4}>
              {follows
                .filter(({ kind }) => kind === 'branches')
                .map((one) => (
                  <List.Item key={makeKey(one)}>
                    <b>{nameNode(one.node_id ?? '')}</b>: {describeWay(asJson(one.before))} →{' '}
                    {describeWay(asJson(one.after))}
                  </List.Item>
                ))}
            </List>
            {follows
              .filter(({ kind }) => kind === 'output')
              .map((one) => (
                <Difference key={makeKey(one)} difference={one} names={names} nameNode={nameNode} />
              ))}
          </Stack>
        </details>
      )}
    </>
  );
}
