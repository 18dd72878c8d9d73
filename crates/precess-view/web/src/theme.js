// Colours of light and dark pages.
export const PALETTE = ["#3b7dd8", "#e8853a", "#2f9e77", "#d04f5f", "#8a63d2", "#d0a92f", "#2aa3b8", "#b8588f"];
export const LOAD = "#ef8e1b", FORCE = "#e23b4e", TORQUE = "#9b4fd0", VELOCITY = "#1f9d55";
export const THEMES = {
  light: { sky: "#eef1f5", grid: "#8793a3", steel: "#c9ced6", rail: "#8a929d", base: "#6b727c", rubber: "#c9a227",
    shadow: 0.28, exposure: 1.0, hemisphere: 0.75 },
  dark: { sky: "#14181e", grid: "#56616f", steel: "#b4bac3", rail: "#7b8490", base: "#566069", rubber: "#c9a227",
    shadow: 0.5, exposure: 0.95, hemisphere: 0.55 },
};
