/** The tools of an agent: what each calls, what the model is told of it, and whether a person is asked first. */
import { ActionIcon, Button } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { isObject, ownValue, type Json, type JsonObject } from '../../graph/value.ts';
import { textOf } from '../canvas/binding.ts';
import { freeId } from '../canvas/clipboard.ts';
import { useEditing } from '../canvas/context.ts';
import { words } from '../words.ts';
import { AGENT_TOOL, asked, type Field } from './fields.ts';
import { problemsAt, writeConfig, type FieldProps } from './write-config.ts';

interface AgentToolsProps extends FieldProps {
  /** One field of a tool: the form that shows this list shows its fields, too. */
  readonly showField: (props: FieldProps) => ReactNode;
}

export function AgentTools({ showField, ...props }: AgentToolsProps) {
  const { nodeId, config, problems, isReadOnly } = props;
  const { room } = useEditing();
  const value = ownValue(config, 'tools');
  const tools = Array.isArray(value) ? value : [];
  const write = (next: Json[], label: string): void => {
    room.edit(writeConfig(props, next), { label });
  };
  const add = (): void => {
    const name = freeId('tool', new Set(tools.filter(isObject).map((tool) => textOf(tool, 'name'))));
    write([...tools, { kind: 'integration', name }], 'add a tool');
  };
  const fieldOf = (tool: JsonObject, index: number, field: Field): FieldProps => ({
    nodeId,
    config: tool,
    base: ['config', 'tools', String(index)],
    field,
    problems: problemsAt(problems, `/tools/${index}${field.ptr}`),
    isReadOnly,
  });
  return (
    <div className="wc-stack">
      {tools.map((tool, index) => (
        <div key={index} className="wc-card" role="group" aria-label={words.toolNumber(index + 1)}>
          <div className="wc-card-head">
            <b>{(isObject(tool) && textOf(tool, 'name')) || words.toolNumber(index + 1)}</b>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={isReadOnly}
              aria-label={`${words.remove}: ${words.toolNumber(index + 1)}`}
              onClick={() => write(tools.toSpliced(index, 1), 'delete a tool')}
            >
              <Trash2 size={14} aria-hidden />
            </ActionIcon>
          </div>
          {isObject(tool) &&
            asked(AGENT_TOOL, tool).map((field) => (
              <div key={field.ptr}>{showField(fieldOf(tool, index, field))}</div>
            ))}
        </div>
      ))}
      <Button
        size="xs"
        variant="light"
        leftSection={<Plus size={14} aria-hidden />}
        disabled={isReadOnly}
        onClick={add}
      >
        {words.addTool}
      </Button>
    </div>
  );
}
