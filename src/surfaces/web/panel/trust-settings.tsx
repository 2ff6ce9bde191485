/** The values from outside that the author of a node vouches for: each with a reason, which stands on the sheet of the version. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { X } from 'lucide-react';
import { useState } from 'react';
import { MAX_REASON } from '../../../language/graph/definition/read-node.ts';
import type { Problem } from '../../../language/graph/definition/definition.ts';
import { isObject, ownValue, type Json, type JsonObject } from '../../../language/graph/values/value.ts';
import { readText } from '../canvas/binding.ts';
import { useEditing } from '../canvas/context.ts';
import { guardedWrite } from '../forms/field-value.ts';
import { trustWords } from '../words-trust.ts';

interface TrustSettingsProps {
  readonly nodeId: string;
  readonly node: JsonObject;
  readonly problems: readonly Problem[];
  readonly isReadOnly: boolean;
}

/** The references that are warned of, as the messages quote them. */
const listWarned = (problems: readonly Problem[]): readonly string[] => [
  ...new Set(
    problems.flatMap(({ code, message }) =>
      code === 'untrusted_to_sensitive' ? (/\{\{(.*?)\}\}/.exec(message)?.slice(1, 2) ?? []) : [],
    ),
  ),
];

interface ReasonProps {
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly onTrust: (reason: string) => void;
}

function Reason({ value, isReadOnly, onTrust }: ReasonProps) {
  const [reason, setReason] = useState('');
  return (
    <Stack align="stretch" gap={4}>
      <TextInput
        label={trustWords.reasonFor(value)}
        value={reason}
        maxLength={MAX_REASON}
        disabled={isReadOnly}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Button
        variant="default"
        size="compact-sm"
        style={{ alignSelf: 'flex-end' }}
        disabled={isReadOnly || reason.trim() === ''}
        onClick={() => onTrust(reason.trim())}
      >
        {trustWords.trust}
      </Button>
    </Stack>
  );
}

export function TrustSettings({ nodeId, node, problems, isReadOnly }: TrustSettingsProps) {
  const { connection } = useEditing();
  const stored = ownValue(node, 'trusted_values');
  const trusted: readonly Json[] = Array.isArray(stored) ? stored : [];
  const write = (next: readonly Json[]): void => {
    const place = { entity: `node:${nodeId}`, ptr: '/trusted_values' } as const;
    const op = guardedWrite(place, node, next.length === 0 ? undefined : [...next]);
    connection.edit(op, { label: `edit ${nodeId}` });
  };
  const warned = listWarned(problems);
  return (
    <div className="wc-stack">
      {warned.length > 0 && <Text size="sm">{trustWords.why}</Text>}
      {warned.map((value) => (
        <Reason
          key={value}
          value={value}
          isReadOnly={isReadOnly}
          onTrust={(reason) => write([...trusted, { value, reason }])}
        />
      ))}
      {trusted.filter(isObject).map((one, index) => {
        const value = readText(one, 'value');
        return (
          <Group key={`${index} ${value}`} justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <b>{trustWords.trusted(value)}</b> {readText(one, 'reason')}
            </Text>
            <Button
              size="compact-sm"
              variant="subtle"
              disabled={isReadOnly}
              aria-label={trustWords.remove(value)}
              onClick={() => write(trusted.filter((other) => other !== one))}
            >
              <X size={14} aria-hidden />
            </Button>
          </Group>
        );
      })}
    </div>
  );
}
