/** Why a deployment was refused; of a draft that has changed, what to do. */
import { Alert } from '@mantine/core';
import { hasCode } from '../kit/has-code.ts';
import { Failure } from '../kit/page.tsx';
import { sheetWords } from '../words-sheet.ts';

export const DeployFailure = ({ error }: { readonly error: Error | null }) =>
  hasCode(error, 'draft_changed') ? (
    <Alert color="orange" role="alert">
      {sheetWords.changed}
    </Alert>
  ) : (
    <Failure error={error} />
  );
