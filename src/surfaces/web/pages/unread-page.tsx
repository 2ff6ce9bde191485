/** Stands in place of a page whose subject was not read: it does not exist, or it cannot be fetched now. */
import { WorkflowApiError } from '../../client/client.ts';
import { MissingPage } from '../frame/error-pages.tsx';
import { Failure, Page } from '../kit/page.tsx';

/** The API's answers to an id of nothing, and to a text that is no id. */
const MISSING: readonly number[] = [400, 404, 422];

interface UnreadProps {
  readonly title: string;
  readonly error: Error | null;
}

export const UnreadPage = ({ title, error }: UnreadProps) =>
  error instanceof WorkflowApiError && MISSING.includes(error.status) ? (
    <MissingPage />
  ) : (
    <Page title={title}>
      <Failure error={error} />
    </Page>
  );
