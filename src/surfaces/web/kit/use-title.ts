/** The title of the browser's tab: the page first, because tabs are narrow. */
import { useEffect } from 'react';
import { words } from '../words.ts';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === words.product ? title : `${title} · ${words.product}`;
    return () => {
      document.title = words.product;
    };
  }, [title]);
}
