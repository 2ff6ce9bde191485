/** A request to the people who run the service. */
import { Alert, Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Failure, Page } from '../kit/page.tsx';
import { useStoredText } from '../kit/use-stored-text.ts';
import { words } from '../words.ts';

const route = getRouteApi('/support');

export function SupportPage() {
  const { client, organizationId } = route.useRouteContext().app;
  const [subject, setSubject] = useStoredText('support subject');
  const [message, setMessage] = useStoredText('support message');
  const send = useMutation({
    mutationFn: () =>
      client.request('POST', '/requests', {
        body: { subject: subject.trim(), message: message.trim(), organization_id: organizationId },
      }),
    // A request that was not accepted stays in its fields.
    onSuccess: () => {
      setSubject('');
      setMessage('');
    },
  });
  return (
    <Page title={words.support.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send.mutate();
        }}
      >
        <Stack maw={640}>
          <TextInput
            label={words.support.subject}
            maxLength={255}
            value={subject}
            onChange={(event) => setSubject(event.currentTarget.value)}
          />
          <Textarea
            label={words.support.message}
            autosize
            minRows={6}
            maxLength={20_000}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <Failure error={send.error} />
          {send.isSuccess && (
            <Alert role="status" color="green">
              {words.support.sent(send.data.id)}
            </Alert>
          )}
          <Button
            type="submit"
            loading={send.isPending}
            disabled={subject.trim() === '' || message.trim() === ''}
            style={{ alignSelf: 'flex-start' }}
          >
            {words.support.send}
          </Button>
        </Stack>
      </form>
    </Page>
  );
}
