/** Offers a reload when the server has a newer build than the page: its files are no longer those that the page would load. */
import { Button, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { BASE } from '../session/return-address.ts';
import { words } from '../words.ts';

const LOOK_EVERY_MS = 5 * 60_000;
/** Returning to the tab looks again, but not at every click beside it. */
const FRESH_MS = 30_000;
/** The entry script has a hash of all files of the build in its name. */
const ENTRY = /<script[^>]+src="([^"]+)"/;
const ownEntry = (): string | null =>
  document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src') ?? null;

async function readServedEntry(): Promise<string | null> {
  const answer = await fetch(`${BASE}/`, { cache: 'no-store' });
  return answer.ok ? (ENTRY.exec(await answer.text())?.[1] ?? null) : null;
}

function useNewRelease(): boolean {
  const [isFileGone, setFileGone] = useState(false);
  useEffect(() => {
    const note = (): void => setFileGone(true);
    addEventListener('vite:preloadError', note);
    return () => removeEventListener('vite:preloadError', note);
  }, []);
  const served = useQuery({
    queryKey: ['release'],
    queryFn: readServedEntry,
    staleTime: FRESH_MS,
    refetchInterval: LOOK_EVERY_MS,
    retry: false,
  });
  return isFileGone || (typeof served.data === 'string' && served.data !== ownEntry());
}

export function ReleaseNotice() {
  if (!useNewRelease()) return null;
  return (
    <Paper withBorder shadow="md" p="sm" role="status">
      <Group gap="sm" wrap="nowrap">
        <Text size="sm">{words.release.text}</Text>
        <Button size="compact-sm" onClick={() => location.reload()}>
          {words.release.reload}
        </Button>
      </Group>
    </Paper>
  );
}
