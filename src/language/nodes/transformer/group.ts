/** The mode `group`: one item for each key, with values computed over its items. */
import { MAX_NUMBER_PATHS } from '../../graph/values/exact-json.ts';
import type { Path } from '../../graph/template/template-scanner.ts';
import { isObject, setOwn, type Json, type JsonObject } from '../../graph/values/value.ts';
import type { NodeCall } from '../kind.ts';
import { createNumberWarnings } from '../number-warning.ts';
import { nextTurn } from '../turn.ts';
import { createAggregate, type Aggregate } from './aggregate.ts';
import type { ConfigOf } from './config.ts';
import { formatKey } from './item-key.ts';
import { listOutput, readItems, type Transformed } from './items.ts';

/** Steps to make the work on one field of a group, and to write its result. */
const STEPS_PER_FIELD = 24;

interface Group {
  readonly keys: JsonObject;
  readonly aggregates: readonly Aggregate[];
}

export async function groupItems(call: NodeCall<unknown>, config: ConfigOf<'group'>): Promise<Transformed> {
  const { keys, values } = config;
  const { work } = call.patterns;
  const groups = new Map<string, Group>();
  const openGroup = (shown: JsonObject): Group => {
    work.spend(values.length * STEPS_PER_FIELD);
    return { keys: shown, aggregates: values.map(({ name, op }) => createAggregate({ op, name, work })) };
  };
  const isWhole = Object.keys(keys).length === 0;
  // Without keys there is always one group, so that the sum of an empty list can be read.
  if (isWhole) groups.set(formatKey({}, work), openGroup({}));
  for (const [index, item] of readItems(call, config.source, 'list').entries()) {
    const roots = { item, index };
    const shown = call.render(keys, roots);
    const key = formatKey(shown, work);
    const group = groups.get(key) ?? openGroup(isObject(shown) ? shown : {});
    groups.set(key, group);
    for (const [at, { op, of }] of values.entries())
      group.aggregates[at]?.add(of === null && op === 'count' ? index : call.render(of ?? '{{item}}', roots));
    if (work.isTurnOver) await nextTurn(work);
  }
  return finishGroups([...groups.values()], config.values, call);
}

async function finishGroups(
  groups: readonly Group[],
  values: ConfigOf<'group'>['values'],
  call: NodeCall<unknown>,
): Promise<Transformed> {
  const { work } = call.patterns;
  const items: Json[] = [];
  const texts: Path[] = [];
  const rounded: Path[] = [];
  for (const [index, group] of groups.entries()) {
    const item = { ...group.keys };
    work.spend(values.length * STEPS_PER_FIELD);
    for (const [at, { name }] of values.entries()) {
      const result = group.aggregates[at]?.finish();
      if (result === undefined) continue;
      setOwn(item, name, result.value);
      if (result.texts.length > 0 && texts.length < MAX_NUMBER_PATHS) texts.push(['items', index, name]);
      if (result.rounded.length > 0 && rounded.length < MAX_NUMBER_PATHS)
        rounded.push(['items', index, name]);
    }
    items.push(item);
    if (work.isTurnOver) await nextTurn(work);
  }
  return listOutput(items, createNumberWarnings('', { texts, rounded }));
}
