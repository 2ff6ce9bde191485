/** The window that returns from a provider. It closes itself when another window took the answer, and else says that it expired. */
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
      // Browsers close only windows that a script has opened; in others the text stays.
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
