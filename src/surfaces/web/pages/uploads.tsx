/** Uploads of files, one after the other, with how far each is and why one failed. */
import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { shownName } from '../../../language/graph/values/shown-name.ts';
import type { UploadProgress } from '../../client/client.ts';
import { describeError } from '../kit/describe-error.ts';
import { fileWords } from '../words-files.ts';
import { words } from '../words.ts';

interface UploadRow {
  readonly key: number;
  readonly name: string;
  /** Of 100. */
  readonly percent: number;
  readonly problem: string | null;
}

interface UploadsProps {
  readonly label: string;
  /** The accepted files in words; null: any file. */
  readonly hint: string | null;
  /** The types that the browser offers to choose; undefined: any file. */
  readonly accept?: string;
  /** Sends one file. */
  readonly send: (file: File, onProgress: (progress: UploadProgress) => void) => Promise<unknown>;
  readonly onUploaded: () => void;
}

function useUploads({ send, onUploaded }: Pick<UploadsProps, 'send' | 'onUploaded'>) {
  const [rows, setRows] = useState<readonly UploadRow[]>([]);
  const count = useRef(0);
  const change = (key: number, more: Partial<UploadRow>): void =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, ...more } : row)));
  const remove = (key: number): void => setRows((now) => now.filter((row) => row.key !== key));
  const uploadOne = async (key: number, file: File): Promise<void> => {
    try {
      await send(file, ({ sent, total }) => change(key, { percent: Math.round((100 * sent) / total) }));
      remove(key);
      onUploaded();
    } catch (error) {
      change(key, { problem: describeError(error as Error) });
    }
  };
  const upload = async (files: readonly File[]): Promise<void> => {
    const named = files.map((file) => ({ key: (count.current += 1), file }));
    const added = named.map(({ key, file }) => ({ key, name: file.name, percent: 0, problem: null }));
    setRows((now) => [...now, ...added]);
    for (const { key, file } of named) await uploadOne(key, file);
  };
  return { rows, upload, remove };
}

export function Uploads({ label, hint, accept, send, onUploaded }: UploadsProps) {
  const { rows, upload, remove } = useUploads({ send, onUploaded });
  return (
    <Stack gap="xs">
      <Group>
        <FileButton
          multiple
          {...(accept === undefined ? {} : { accept })}
          onChange={(files) => void upload(files)}
        >
          {(button) => <Button {...button}>{label}</Button>}
        </FileButton>
        {hint !== null && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Group>
      {rows.map(({ key, name, percent, problem }) => (
        <Group key={key} role="group" aria-label={shownName(name)}>
          <Text size="sm" flex={1} truncate>
            <bdi>{shownName(name)}</bdi>
          </Text>
          {problem === null ? (
            <Progress.Root w={200}>
              <Progress.Section value={percent} aria-label={shownName(name)} />
            </Progress.Root>
          ) : (
            <>
              <Text size="sm" role="alert">
                {words.failed} {problem}
              </Text>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`${fileWords.dismiss}: ${shownName(name)}`}
                onClick={() => remove(key)}
              >
                {fileWords.dismiss}
              </Button>
            </>
          )}
        </Group>
      ))}
    </Stack>
  );
}
