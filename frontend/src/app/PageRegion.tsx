/** The region of a place beside the conversations; each one is loaded when it is gone to. */
import { lazy, Suspense } from "react";
import type { Page } from "../lib/view";
import styles from "./Shell.module.css";

const PAGES = {
  bin: lazy(() => import("../features/bin/BinPage").then((module) => ({ default: module.BinPage }))),
  usage: lazy(() => import("../features/usage/UsagePage").then((module) => ({ default: module.UsagePage }))),
  stores: lazy(() => import("../features/stores/StoresPage").then((module) => ({ default: module.StoresPage }))),
} satisfies Record<Page, unknown>;

export function PageRegion({ page }: { page: Page }) {
  const Content = PAGES[page];
  return (
    <div className={styles.page}>
      <Suspense>
        <Content />
      </Suspense>
    </div>
  );
}
