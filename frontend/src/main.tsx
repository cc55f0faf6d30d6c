/** Starts the dashboard. */
import "./app/tokens.css";
import "./app/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { loadFor } from "./app/regions";
import { followSettings } from "./lib/settings";
import { takeTokenFromAddress } from "./lib/token";

takeTokenFromAddress();
followSettings();
loadFor(window.location.pathname);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
