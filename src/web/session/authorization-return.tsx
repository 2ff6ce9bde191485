/** A window that comes back from a provider: it closes itself, or says that nothing waits for it any longer. */
import { Alert, Anchor, Center, Loader, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { BrandMark } from '../kit/brand-mark.tsx';
import { words } from '../words.ts';
import { BASE } from './return-address.ts';

interface AuthorizationReturnProps {
  /** Whether another window took the answer. */
  readonly handedOver: Promise<boolean>;
  readonly purpose: 'account' | 'signIn';
}

export function AuthorizationReturn({ handedOver, purpose }: AuthorizationReturnProps) {
  const [isHandedOver, setHandedOver] = useState<boolean | null>(null);
  useEffect(() => {
    void handedOver.then((wasTaken) => {
      setHandedOver(wasTaken);
      // Browsers close only windows that a script has opened; else the text stands.
      if (wasTaken) window.close();
    });
  }, [handedOver]);
  const { taken, lost } = words.returned[purpose];
  return (
    <Center mih="100vh" component="main">
      <Stack align="center" maw={420} p="md">
        <BrandMark heading />
        {isHandedOver === null && <Loader role="status" aria-label={words.loading} />}
        {isHandedOver === true && <Text>{taken}</Text>}
        {isHandedOver === false && (
          <>
            <Alert color="red" role="alert">
              {lost}
            </Alert>
            <Anchor href={`${BASE}/`}>{words.home}</Anchor>
          </>
        )}
      </Stack>
    </Center>
  );
}
