/** Pages for an address without a page, and for a page that cannot be shown. */
import { Button } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { EmptyState } from '../kit/empty-state.tsx';
import { Failure, Page } from '../kit/page.tsx';
import { TextLink } from '../kit/text-link.tsx';
import { words } from '../words.ts';

export const MissingPage = () => (
  <Page title={words.notFound}>
    <EmptyState
      icon={SearchX}
      title={words.notFoundWhy}
      action={<TextLink to="/">{words.workflows}</TextLink>}
    />
  </Page>
);

export const BrokenPage = ({ error }: ErrorComponentProps) => (
  <Page title={words.broken}>
    <Failure error={error instanceof Error ? error : new Error(String(error))} />
    {/* A file of an earlier release is gone after the next one: a reload fetches the present files. */}
    <Button style={{ alignSelf: 'flex-start' }} onClick={() => location.reload()}>
      {words.release.reload}
    </Button>
  </Page>
);
