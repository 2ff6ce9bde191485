/** A form of one line: a text, and the button that sends it; sent texts are trimmed and never empty. */
import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';

interface LineFormProps {
  readonly label: string;
  readonly action: string;
  readonly type?: 'text' | 'email';
  readonly maxLength?: number;
  readonly isPending: boolean;
  readonly onSend: (text: string) => void;
}

export function LineForm({ label, action, type = 'text', maxLength, isPending, onSend }: LineFormProps) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setText('');
        onSend(text.trim());
      }}
    >
      <Group align="end">
        <TextInput
          type={type}
          label={label}
          value={text}
          {...(maxLength === undefined ? {} : { maxLength })}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={isPending} disabled={text.trim() === ''}>
          {action}
        </Button>
      </Group>
    </form>
  );
}
