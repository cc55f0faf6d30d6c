/** Starts GraphiQL. */
import "../app/tokens.css";
import "../app/base.css";
import "./graphiql.css";
import "graphiql/setup-workers/vite";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followSettings } from "../lib/settings";
import { takeTokenFromAddress } from "../lib/token";
import { GraphiQLPage } from "./GraphiQLPage";
import { takeLinkFromAddress } from "./link";

takeTokenFromAddress();
followSettings();
const link = takeLinkFromAddress();

// A link with another fragment leads to the page that is open already, which the browser does not load again.
window.addEventListener("hashchange", () => window.location.reload());

const root = document.getElementById("root");
if (!root) throw new Error("graphiql.html has no #root");
createRoot(root).render(
  <StrictMode>
    <GraphiQLPage {...link} />
  </StrictMode>,
);
