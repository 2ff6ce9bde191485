/** A file that a value refers to: its name, type and size, a preview of pictures and texts, and its download. */
import { Anchor, Box, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { Paperclip } from 'lucide-react';
import { useEffect, useState } from 'react';
import { shortenText } from '../../../language/graph/values/cut-text.ts';
import type { FileReference } from '../../../language/graph/values/file-reference.ts';
import { Failure } from '../kit/page.tsx';
import { fileWords } from '../words-files.ts';
import { downloadFile, findPreview, readPicture, readTextFile } from './read-file.ts';

const MAX_TEXT = 20_000;

interface CardProps {
  readonly file: FileReference;
}

const useApp = () => useRouteContext({ from: '__root__' }).app;

function Picture({ file }: CardProps) {
  const { client, organizationId } = useApp();
  const picture = useQuery({
    queryKey: [organizationId, 'file', file.$file, 'picture'],
    queryFn: () => readPicture(client, file),
    // Its address is gone with what showed it.
    gcTime: 0,
  });
  const address = picture.data;
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address]);
  if (address === undefined)
    return picture.isPending ? <Loader size="xs" /> : <Failure error={picture.error} />;
  return <Box component="img" src={address} alt={file.name} display="block" mah={320} maw="100%" />;
}

function TextPreview({ file }: CardProps) {
  const { client, organizationId } = useApp();
  const text = useQuery({
    queryKey: [organizationId, 'file', file.$file, 'text'],
    queryFn: () => readTextFile(client, file),
  });
  if (text.data === undefined) return text.isPending ? <Loader size="xs" /> : <Failure error={text.error} />;
  return (
    <>
      <Box
        component="pre"
        tabIndex={0}
        aria-label={file.name}
        m={0}
        p="xs"
        mah={320}
        fz="xs"
        bg="var(--mantine-color-body)"
        style={{ overflow: 'auto', borderRadius: 4 }}
      >
        {shortenText(text.data, MAX_TEXT)}
      </Box>
      {text.data.length > MAX_TEXT && (
        <Text size="xs" c="dimmed">
          {fileWords.isCut}
        </Text>
      )}
    </>
  );
}

export function FileCard({ file }: CardProps) {
  const { client } = useApp();
  const [isShown, setShown] = useState(false);
  const download = useMutation({ mutationFn: () => downloadFile(client, file) });
  const preview = findPreview(file);
  const { name, media_type: type, size } = file;
  return (
    <Box
      display="inline-block"
      maw="100%"
      style={{ fontFamily: 'var(--mantine-font-family)', verticalAlign: 'top' }}
    >
      <Group component="span" gap="xs" display="inline-flex" wrap="wrap">
        <Paperclip size={14} aria-hidden />
        <Text component="span" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text component="span" size="xs" c="dimmed">
          {type}, {fileWords.formatSize(size)}
        </Text>
        {preview !== null && (
          <Anchor
            component="button"
            type="button"
            size="xs"
            aria-expanded={isShown}
            aria-label={isShown ? fileWords.hideFile(name) : fileWords.previewFile(name)}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? fileWords.hide : fileWords.preview}
          </Anchor>
        )}
        <Anchor
          component="button"
          type="button"
          size="xs"
          aria-label={fileWords.downloadFile(name)}
          onClick={() => download.mutate()}
        >
          {fileWords.download}
        </Anchor>
        {download.isPending && <Loader size="xs" />}
      </Group>
      <Failure error={download.error} />
      {isShown && (
        <Box mt={4}>{preview === 'picture' ? <Picture file={file} /> : <TextPreview file={file} />}</Box>
      )}
    </Box>
  );
}
