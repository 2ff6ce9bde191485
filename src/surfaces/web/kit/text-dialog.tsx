/** A dialog that asks for one line of text; it sends the text trimmed and never empty. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { findFieldProblem, withoutFields } from './field-problem.ts';
import { FormDialog } from './form-dialog.tsx';

interface TextDialogProps {
  readonly title: string;
  readonly label: string;
  readonly description?: string;
  readonly action: string;
  /** Name of the field in the body of the request, to show its errors beside it. */
  readonly field: string;
  readonly initial?: string;
  readonly type?: 'text' | 'email';
  readonly maxLength?: number;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClose: () => void;
  readonly onSend: (text: string) => void;
}

export function TextDialog(props: TextDialogProps) {
  const { title, label, description, action, field, initial = '', type = 'text', maxLength = 255 } = props;
  const { isPending, error, onClose, onSend } = props;
  const [text, setText] = useState(initial);
  return (
    <FormDialog
      title={title}
      action={action}
      isReady={text.trim() !== '' && text.trim() !== initial}
      isPending={isPending}
      error={withoutFields(error, [field])}
      onClose={onClose}
      onSubmit={() => onSend(text.trim())}
    >
      <TextInput
        data-autofocus
        type={type}
        label={label}
        description={description}
        autoComplete="off"
        maxLength={maxLength}
        value={text}
        error={findFieldProblem(error, field)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
