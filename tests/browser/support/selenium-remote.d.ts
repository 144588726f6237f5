// The types know this module by the name of its folder, which Node's modules cannot import.
declare module "selenium-webdriver/remote/index.js" {
  export { DriverService } from "selenium-webdriver/remote";
}
