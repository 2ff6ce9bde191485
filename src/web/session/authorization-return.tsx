/** The window that comes back from a provider: it may be closed, or the authorization has expired. */
import { Alert, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { words } from '../words.ts';

/** @param heard whether another window took what this one came back with */
export function AuthorizationReturn({ heard }: { readonly heard: Promise<boolean> }) {
  const [isHeard, setIsHeard] = useState<boolean | null>(null);
  useEffect(() => {
    void heard.then((was) => {
      setIsHeard(was);
      // Browsers close only what a script has opened; else the text stands.
      if (was) window.close();
    });
  }, [heard]);
  return (
    <Center mih="100vh" component="main">
      <Stack align="center" maw={420} p="md">
        <Title order={1}>{words.product}</Title>
        {isHeard === null && <Loader role="status" aria-label={words.loading} />}
        {isHeard === true && <Text>{words.authorizationTaken}</Text>}
        {isHeard === false && (
          <Alert color="red" role="alert">
            {words.authorizationLost}
          </Alert>
        )}
      </Stack>
    </Center>
  );
}
