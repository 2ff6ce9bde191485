/** The page before a sign-in: one button, or the reason why there is none. */
import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { App } from '../app.tsx';
import { BrandMark } from '../kit/brand-mark.tsx';
import { words } from '../words.ts';
import { Provider, start, type AppConfig, type SignInState } from './session.ts';

type Phase =
  | { readonly kind: 'starting' }
  | { readonly kind: 'broken'; readonly problem: string }
  | {
      readonly kind: 'ready';
      readonly provider: Provider;
      readonly config: AppConfig;
      readonly state: SignInState;
    };

async function findPhase(): Promise<Phase> {
  const answer = await fetch('/app/config.json');
  const config = (await answer.json()) as AppConfig;
  if (config.issuer === null) return { kind: 'broken', problem: words.noProvider };
  const provider = await Provider.discover(config.issuer, config.client_id);
  return { kind: 'ready', provider, config, state: await start(provider) };
}

/** Called once a page load, because a code can be exchanged once. */
export const prepare = (): Promise<Phase> =>
  findPhase().catch((error: unknown) => ({
    kind: 'broken',
    problem: `${words.providerAway} ${String(error)}`,
  }));

export function SignIn({ prepared }: { readonly prepared: Promise<Phase> }) {
  const [phase, setPhase] = useState<Phase>({ kind: 'starting' });
  useEffect(() => {
    void prepared.then(setPhase);
  }, [prepared]);
  if (phase.kind === 'ready' && phase.state.kind === 'signed_in')
    return <App session={phase.state.session} config={phase.config} />;
  const problem =
    phase.kind === 'broken'
      ? phase.problem
      : phase.kind === 'ready' && phase.state.kind === 'signed_out' && phase.state.problem !== null
        ? `${words.signInFailed} ${phase.state.problem}`
        : null;
  return (
    <Center mih="100vh" component="main">
      <Stack align="center" maw={420} p="md">
        <BrandMark heading />
        {phase.kind === 'starting' && <Loader role="status" aria-label={words.signingIn} />}
        {problem !== null && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {phase.kind === 'broken' && <Button onClick={() => location.reload()}>{words.again}</Button>}
        {phase.kind === 'ready' && (
          <>
            <Text c="dimmed" ta="center">
              {words.signInWhy}
            </Text>
            <Button size="md" autoFocus onClick={() => void phase.provider.begin()}>
              {words.signIn}
            </Button>
          </>
        )}
      </Stack>
    </Center>
  );
}
