import { TidegateError } from "tidegate/inline";

console.log(new TidegateError("Closed").code);
