/** The status of a run or of a step, with the colour that it has everywhere. */
import { Badge } from '@mantine/core';
import { statusLabel } from '../words-statuses.ts';

const COLORS: Readonly<Record<string, string>> = {
  running: 'blue',
  interrupted: 'orange',
  succeeded: 'green',
  failed: 'red',
  noWorker: 'orange',
};

/** A colour of the theme. */
export const statusColor = (status: string): string => COLORS[status] ?? 'gray';

export const StatusBadge = ({ status }: { readonly status: string }) => (
  <Badge variant="dot" color={statusColor(status)} miw="max-content" tt="none">
    {statusLabel(status)}
  </Badge>
);
