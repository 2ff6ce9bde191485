/** The button that reads the next page of a list; absent at its end. */
import { Button } from '@mantine/core';
import { words } from '../words.ts';

interface LoadMoreProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

export const LoadMore = ({ list }: LoadMoreProps) =>
  list.hasNextPage ? (
    <Button
      variant="default"
      style={{ alignSelf: 'flex-start' }}
      loading={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {words.more}
    </Button>
  ) : null;
